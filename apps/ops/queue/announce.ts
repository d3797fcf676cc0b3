import { setTimeout as delay } from 'node:timers/promises';
import { openQueue, type QueueSettings } from './queue.ts';

/** A queue that does not answer by then is left alone: the worker finds the replay by itself a moment later. */
const PATIENCE_MILLISECONDS = 2_000;

/** Tells the worker that a replay has something to do. Never throws: the request itself is in the database already. */
export async function announceReplay(settings: QueueSettings, id: number): Promise<void> {
  const queue = openQueue(settings, { lasting: false }, () => {});
  const patience = new AbortController();
  const waited = delay(PATIENCE_MILLISECONDS, undefined, { signal: patience.signal, ref: false }).catch(() => {});
  await Promise.race([queue.add({ kind: 'replay', id }).catch(() => {}), waited]);
  await Promise.race([queue.close().catch(() => {}), waited]);
  patience.abort();
}
