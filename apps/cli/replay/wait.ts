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

/**
 * Shows a replay's progress on stderr: one changing line if it is a terminal, or one line per phase if it is a pipe.
 */
class Display {
  readonly #output = process.stderr;
  #state = '';

  show(view: ReplayView): void {
    const state = `${view.phase} ${view.halted}`;
    if (this.#output.isTTY) {
      this.clear();
      // Read the width each time, because the window may have been resized.
      this.#output.write(progressLine(view, this.#output.columns));
    } else if (state !== this.#state) {
      this.#output.write(`${phaseLine(view)}\n`);
    }
    this.#state = state;
  }

  /** Writes a line that is not overwritten by the progress line. */
  say(line: string): void {
    this.clear();
    this.#output.write(`${line}\n`);
  }

  clear(): void {
    if (!this.#output.isTTY) return;
    cursorTo(this.#output, 0);
    clearLine(this.#output, 0);
  }
}

/**
 * Shows a replay's progress on stderr until the replay ends or needs an operator, and returns the replay. Retries after
 * transient database errors.
 *
 * @throws Error when the signal aborts, or when no worker has run the replay for an hour; this does not stop the replay
 */
export async function waitForRest(
  client: Client,
  { id, lane }: Pick<ReplayView, 'id' | 'lane'>,
  signal: AbortSignal,
  maxMillisecondsWithoutWorker = MAX_MILLISECONDS_WITHOUT_WORKER,
): Promise<ReplayView> {
  const display = new Display();
  const watchAgain = `\`milepost replay watch ${id}${laneOption(lane)}\` shows its progress again.`;
  let workedAt = performance.now();
  const said = new Set<string>();
  const sayOnce = (kind: string, sentence: string) => {
    if (!said.has(kind)) display.say(sentence);
    said.add(kind);
  };
  const onRetry = (error: unknown) => sayOnce('error', `The database does not respond: ${causeOf(error)}. Retrying.`);
  try {
    for (;;) {
      const view = await retryTransientErrors(async () => (await client.call(showOne, { id })).answer, {
        signal,
        onRetry,
      });
      said.delete('error');
      display.show(view);
      if (isAtRest(view)) return view;
      if (view.running) workedAt = performance.now();
      const idle = performance.now() - workedAt;
      if (idle >= WORKER_MILLISECONDS) {
        sayOnce(
          'worker',
          `No worker is running replay ${id}: there seems to be no ops process. Start one with \`milepost ops\`, or everything with \`npm start\`; the replay then continues.`,
        );
      }
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
    display.clear();
  }
}
