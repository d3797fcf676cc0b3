import type { Pool } from '@milepost/postgres';
import { printJson } from '../output/json.ts';
import { processSignal } from '../process.ts';
import { atDesk, type Desk, recordedRequest } from './desk.ts';
import { type Goal, isReached, restSentence } from './rest.ts';
import { viewJson } from './view-json.ts';
import { waitForRest } from './wait.ts';

export interface SendOptions {
  wait?: true;
  json?: true;
}

/** A request for a replay, and how its end is told. */
export interface Request {
  /** For the audit trail, such as `replay.pause`. */
  action: string;
  parameters: object;
  /** Writes the request down; resolves with the replay that it is about. */
  ask: (pool: Pool) => Promise<number>;
  /** Whether the worker must be told: it looks at the one that it has in hand all the time. */
  announce: boolean;
  /** Whether the id of the replay is what the command is asked for. */
  printsId: boolean;
  /** What to say when nobody waits for the end. */
  accepted: (id: number) => string;
  /** What came of it, for the audit trail. */
  describe?: (id: number) => string;
  /** Where the replay is to rest. */
  goal: Goal;
}

/**
 * Waits for the end of a replay.
 *
 * @throws Error when it ended elsewhere than it was to: failed, refused, paused or cancelled
 */
export async function followToEnd(desk: Desk, id: number, goal: Goal, json: boolean): Promise<void> {
  const view = await waitForRest(desk.pool, id, { signal: processSignal() });
  if (json) printJson(viewJson(view));
  if (!isReached(view, goal)) throw new Error(restSentence(view));
  process.stderr.write(`${restSentence(view)}\n`);
}

/** Hands in a request, tells the worker, and waits for the end when asked to. */
export async function sendRequest(
  request: Request,
  { wait = false, json = false }: { wait?: boolean; json?: boolean },
) {
  await atDesk(async (desk) => {
    const id = await recordedRequest(
      desk,
      request.action,
      request.parameters,
      () => request.ask(desk.pool),
      request.describe,
    );
    if (request.printsId && !json) process.stdout.write(`${id}\n`);
    if (request.announce) await desk.announce(id);
    if (wait) return await followToEnd(desk, id, request.goal, json);
    if (json) printJson(viewJson(await desk.view(id)));
    process.stderr.write(`${request.accepted(id)}\n`);
  });
}
