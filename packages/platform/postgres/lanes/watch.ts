import { setTimeout as delay } from 'node:timers/promises';
import { directoryAt } from '../parts.ts';
import { createPool } from '../pool.ts';
import { type RetryOptions, retryTransientErrors } from '../retry.ts';
import type { Role } from '../roles.ts';
import { checkAtStart } from '../server-check.ts';
import { type Lane, listLanes } from './lanes.ts';

const POLL_MILLISECONDS = 10_000;
const READ_TIMEOUT_MILLISECONDS = 5_000;

/** The process that reads the list of lanes. */
interface DirectoryReader {
  /** The URL of the process's database. */
  url: string;
  role: Role;
  applicationName: string;
}

/**
 * Lists the lanes over a temporary connection. Retries transient errors.
 *
 * @throws DatabaseUnusableError when the server, the session or the schema is not what the process needs
 */
async function readLanes({ url, ...reader }: DirectoryReader, retry: RetryOptions): Promise<Lane[]> {
  const directory = createPool({
    ...reader,
    part: directoryAt(url),
    connections: 1,
    statementTimeoutMilliseconds: READ_TIMEOUT_MILLISECONDS,
  });
  try {
    await checkAtStart([directory], retry);
    return await retryTransientErrors(() => listLanes(directory), retry);
  } finally {
    await directory.end();
  }
}

interface WatchOptions extends RetryOptions {
  /** How often the list of lanes is read; the default is every 10 s. */
  pollMilliseconds?: number;
}

/** Calls `onChange` when the list of lanes differs from `lanes`. Resolves then, or when the signal aborts. */
async function watchLanes(
  reader: DirectoryReader,
  lanes: readonly Lane[],
  { signal, pollMilliseconds = POLL_MILLISECONDS }: WatchOptions,
  onChange: () => void,
): Promise<void> {
  const known = JSON.stringify(lanes);
  while (!signal.aborted) {
    await delay(pollMilliseconds, undefined, { signal }).catch(() => {});
    // An unresponsive directory counts as unchanged.
    const read = await readLanes(reader, { signal }).catch(() => lanes);
    if (!signal.aborted && JSON.stringify(read) !== known) return onChange();
  }
}

/**
 * Runs `work` with the lanes until the signal aborts. When the list of lanes changes, the signal for `work` aborts, and
 * `work` runs again with the new list.
 *
 * @throws the error of `work`, or that of `readLanes`
 */
export async function withCurrentLanes(
  reader: DirectoryReader,
  options: WatchOptions,
  work: (lanes: readonly Lane[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  let isChanged = true;
  while (isChanged && !signal.aborted) {
    const lanes = await readLanes(reader, options);
    const ended = new AbortController();
    const changed = new AbortController();
    const whileWorking = { ...options, signal: AbortSignal.any([signal, ended.signal]) };
    const watching = watchLanes(reader, lanes, whileWorking, () => changed.abort());
    try {
      await work(lanes, AbortSignal.any([signal, changed.signal]));
    } catch (error) {
      if (!changed.signal.aborted) throw error;
    } finally {
      isChanged = changed.signal.aborted;
      ended.abort();
      await watching;
    }
  }
}
