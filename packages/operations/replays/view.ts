import { ROLES } from '@milepost/postgres';
import {
  ReplayNotFoundError,
  ReplayRefusedError,
  type ReplayView,
  type Started,
  showReplay,
} from '@milepost/replay';
import { PROJECTIONS } from '@milepost/projections';
import type { Done, OperationContext } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { refusalSentence } from './refusals.ts';

function notFound(id: number): Refusal {
  const which = id === 0 ? 'with this id' : id;
  return new Refusal(
    'replay_not_found',
    (mention) => `There is no replay ${which}: ${mention('replay.list')} lists them.`,
  );
}

/** Runs what a replay may refuse. Throws Refusal. */
export async function asked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReplayRefusedError) {
      throw new Refusal('replay_refused', (mention) => refusalSentence(error.refusal, mention));
    }
    if (!(error instanceof ReplayNotFoundError)) throw error;
    throw notFound(error.id);
  }
}

/** The replay as it stands. Throws Refusal. */
export async function viewOf({ pool }: OperationContext, id: number): Promise<ReplayView> {
  return await asked(async () => await showReplay(pool(ROLES.operator), PROJECTIONS, id));
}

/** Tells the worker, and answers with the replay. Not waited for: a worker finds the request in the database as well. */
export async function announced(context: OperationContext, id: number): Promise<Done<ReplayView>> {
  void context.enqueue({ kind: 'replay', id });
  return { answer: await viewOf(context, id) };
}

/** The answer to what starts a replay, or finds that the same one is under way. */
export async function started(context: OperationContext, { id, created }: Started): Promise<Done<ReplayView>> {
  const detail = created ? `replay ${id}` : `replay ${id}, under way already`;
  return { ...(await announced(context, id)), status: created ? 201 : 200, location: `/replays/${id}`, detail };
}
