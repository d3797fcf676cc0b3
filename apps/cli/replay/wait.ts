import { clearLine, cursorTo } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { showOne } from '@milepost/operations/replays';
import { retryTransientErrors } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Client } from '../operate/client.ts';
import { isAtRest } from './rest.ts';
import type { ReplayView } from './view.ts';
import { phaseLine, progressLine } from './words.ts';

const POLL_MILLISECONDS = 250;
/**
 * A worker looks for replays every few seconds, one that was killed keeps its lease for five, and one that is only just
 * being started needs a while.
 */
const WORKER_MILLISECONDS = 15_000;
/** Without a worker for so long, whoever waits is let go. Others may be in its way: two replays are worked on at once. */
const LONGEST_WITHOUT_WORKER_MILLISECONDS = 3_600_000;

/** Tells on stderr how a replay goes on: on a terminal in one line, in a pipe with a line whenever the phase changes. */
class Display {
  readonly #output = process.stderr;
  #state = '';

  show(view: ReplayView): void {
    const state = `${view.phase} ${view.halted}`;
    if (this.#output.isTTY) {
      this.clear();
      // The width is asked for each time: the window may have been made narrower.
      this.#output.write(progressLine(view, this.#output.columns));
    } else if (state !== this.#state) {
      this.#output.write(`${phaseLine(view)}\n`);
    }
    this.#state = state;
  }

  /** Writes a line that stays. */
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

async function untilRest(
  client: Client,
  id: number,
  display: Display,
  signal: AbortSignal,
  longestWithoutWorker: number,
): Promise<ReplayView> {
  let workedAt = performance.now();
  let isMissTold = false;
  let isErrorTold = false;
  const onRetry = (error: unknown) => {
    if (!isErrorTold) display.say(`The database does not answer at the moment: ${messageOf(error)}. Trying again.`);
    isErrorTold = true;
  };
  const look = async () => (await client.call(showOne, { id })).answer;
  for (;;) {
    const view = await retryTransientErrors(look, { signal, onRetry });
    isErrorTold = false;
    display.show(view);
    if (isAtRest(view)) return view;
    if (view.running) workedAt = performance.now();
    if (!isMissTold && performance.now() - workedAt >= WORKER_MILLISECONDS) {
      isMissTold = true;
      display.say(
        `No worker has taken up replay ${id}: it seems that no ops process is running. Start one with \`milepost ops\`, or everything with \`npm start\`; the replay goes on by itself then.`,
      );
    }
    if (performance.now() - workedAt >= longestWithoutWorker) {
      throw new Error(
        `No worker has worked on replay ${id} for ${Math.round(longestWithoutWorker / 60_000)} minutes. The replay goes on by itself once one does: \`milepost replay watch ${id}\` shows it again.`,
      );
    }
    await delay(POLL_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Shows on stderr how a replay goes on until it rests, and resolves with it as it stands then. Transient errors of the
 * database are waited out.
 *
 * @throws Error when the signal aborts, or when no worker works on it for an hour: it says that the replay goes on, and how
 *   to look at it again
 */
export async function waitForRest(
  client: Client,
  id: number,
  signal: AbortSignal,
  longestWithoutWorker = LONGEST_WITHOUT_WORKER_MILLISECONDS,
): Promise<ReplayView> {
  const display = new Display();
  try {
    return await untilRest(client, id, display, signal, longestWithoutWorker);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(
      `${messageOf(signal.reason)} Replay ${id} goes on without you: \`milepost replay watch ${id}\` shows it again.`,
    );
  } finally {
    display.clear();
  }
}
