import { type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { ReplayNotFoundError, ReplayRefusedError, type ReplayView, type Started, showReplay } from '@milepost/replay';
import type { Done, OperationContext } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { which } from '../schemas.ts';
import { refusalSentence } from './refusals.ts';

/** Runs what a replay may refuse. Throws Refusal. */
export async function asked<Result>(
  { mention, pool }: OperationContext,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(pool(ROLES.operator));
  } catch (error) {
    if (error instanceof ReplayRefusedError)
      throw new Refusal('replay_refused', refusalSentence(error.refusal, mention));
    if (!(error instanceof ReplayNotFoundError)) throw error;
    throw new Refusal(
      'replay_not_found',
      `There is no replay ${which(error.id)}: ${mention.operation('replay.list')} lists them.`,
    );
  }
}

/** The replay as it stands. Throws Refusal. */
export async function viewOf(context: OperationContext, id: number): Promise<ReplayView> {
  return await asked(context, async (pool) => await showReplay(pool, PROJECTIONS, id));
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
