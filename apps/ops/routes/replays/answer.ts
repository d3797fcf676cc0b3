import { PROJECTIONS } from '@milepost/projections';
import { ReplayNotFoundError, ReplayRefusedError, type ReplayView, type Started, showReplay } from '@milepost/replay';
import { Problem } from '../../problems/problem.ts';
import { readId } from '../../request/id.ts';
import type { RouteContext } from '../context.ts';

function notFound(): Problem {
  return new Problem('replay_not_found', 'There is no replay with this id: GET /replays lists them.');
}

/** The id in a path. Throws the problem `replay_not_found`. */
export function replayId({ id }: { id: string }): number {
  const value = readId(id);
  if (value === null) throw notFound();
  return value;
}

/** Refusals name commands; who asks over HTTP hears of the request that does the same. */
function overHttp(sentence: string): string {
  return sentence
    .replaceAll(/`milepost replay (pause|resume|cancel|promote|drop) (\d+)`/g, '`POST /replays/$2/$1`')
    .replaceAll(/`milepost replay show (\d+)`/g, '`GET /replays/$1`');
}

/** Runs what may be refused. Throws the problems `replay_refused` and `replay_not_found`. */
export async function asked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReplayRefusedError) throw new Problem('replay_refused', overHttp(error.message));
    throw error instanceof ReplayNotFoundError ? notFound() : error;
  }
}

/** Which replay was begun, for the audit trail. */
export function describeStarted({ id, created }: Started): string {
  return created ? `replay ${id}` : `replay ${id}, under way already`;
}

/** The replay as it stands. Throws the problem `replay_not_found`. */
export async function viewOf({ pool }: RouteContext, id: number): Promise<ReplayView> {
  return await asked(async () => await showReplay(pool, PROJECTIONS, id));
}

/** Tells the worker. Not waited for: the request is in the database, and a worker finds it there without a queue as well. */
export function announce({ enqueue }: RouteContext, id: number): void {
  void enqueue({ kind: 'replay', id });
}
