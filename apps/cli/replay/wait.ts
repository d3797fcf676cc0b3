import { clearLine, cursorTo } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { showOne } from '@milepost/operations/replays';
import { retryTransientErrors } from '@milepost/postgres';
import { causeOf, messageOf } from '@milepost/service';
import type { Client } from '../client/client.ts';
import { laneOption } from '../client/command-line.ts';
import { isAtRest, type ReplayView } from './view.ts';
import { phaseLine, progressLine } from './words.ts';

const POLL_MILLISECONDS = 250;
/** Workers poll for replays every few seconds, and the lease of a killed worker expires after five seconds. */
const WORKER_MILLISECONDS = 15_000;
/** A replay may also wait for other replays to finish, because each worker runs a limited number of jobs. */
const MAX_MILLISECONDS_WITHOUT_WORKER = 3_600_000;

/** Writes to stderr. On a terminal, the text replaces the current line. */
function write(text: string): void {
  if (process.stderr.isTTY) {
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }
  process.stderr.write(text);
}

/**
 * Shows a replay's progress on stderr until the replay ends or needs an operator, and returns the replay. The progress
 * is one changing line if stderr is a terminal, or one line per phase if it is a pipe. Retries after transient database
 * errors.
 *
 * @throws Error when the signal aborts, or when no worker has run the replay for an hour; this does not stop the replay
 */
export async function waitForRest(
  client: Client,
  { id, lane }: Pick<ReplayView, 'id' | 'lane'>,
  signal: AbortSignal,
  maxMillisecondsWithoutWorker = MAX_MILLISECONDS_WITHOUT_WORKER,
): Promise<ReplayView> {
  const noWorker = `No worker is running replay ${id}: there seems to be no ops process. Start one with \`milepost ops\`, or everything with \`npm start\`; the replay then continues.`;
  const watchAgain = `\`milepost replay watch ${id}${laneOption(lane)}\` shows its progress again.`;
  let workedAt = performance.now();
  let shown = '';
  const said = new Set<string>();
  const sayOnce = (kind: string, sentence: string) => {
    if (!said.has(kind)) write(`${sentence}\n`);
    said.add(kind);
  };
  const read = async () => (await client.call(showOne, { id })).answer;
  const onRetry = (error: unknown) => sayOnce('error', `The database does not respond: ${causeOf(error)}. Retrying.`);
  try {
    for (;;) {
      const view = await retryTransientErrors(read, { signal, onRetry });
      said.delete('error');
      const state = `${view.phase} ${view.halted}`;
      // Read the width each time, because the window may have been resized.
      if (process.stderr.isTTY) write(progressLine(view, process.stderr.columns));
      else if (state !== shown) write(`${phaseLine(view)}\n`);
      shown = state;
      if (isAtRest(view)) return view;
      if (view.running) workedAt = performance.now();
      const idle = performance.now() - workedAt;
      if (idle >= WORKER_MILLISECONDS) sayOnce('worker', noWorker);
      if (idle >= maxMillisecondsWithoutWorker) {
        throw new Error(
          `No worker has run replay ${id} for ${Math.round(maxMillisecondsWithoutWorker / 60_000)} minutes. It continues once a worker is running: ${watchAgain}`,
        );
      }
      await delay(POLL_MILLISECONDS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`${messageOf(signal.reason)} Replay ${id} continues: ${watchAgain}`);
  } finally {
    write('');
  }
}
