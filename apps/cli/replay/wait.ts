import { setTimeout as delay } from 'node:timers/promises';
import { showOne } from '@milepost/operations/replays';
import { retryPassingFaults } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Client } from '../operate/client.ts';
import { type Display, openDisplay } from './display.ts';
import { isAtRest } from './rest.ts';
import type { ReplayView } from './view.ts';

const POLL_MILLISECONDS = 250;
/**
 * A worker looks for replays every few seconds, one that was killed keeps its lease for five, and one that is only just
 * being started needs a while.
 */
const WORKER_MILLISECONDS = 15_000;

export interface WaitOptions {
  signal: AbortSignal;
  longestWithoutWorkerMilliseconds?: number;
}

/** Tells once that a replay has had no worker for so long. */
function workerWatch(display: Display, milliseconds: number): (view: ReplayView) => void {
  let seenAt = performance.now();
  let told = false;
  return ({ id, running }) => {
    if (running) seenAt = performance.now();
    if (told || performance.now() - seenAt < milliseconds) return;
    told = true;
    display.say(
      `No worker has taken up replay ${id}: it seems that no ops process is running. Start one with \`milepost ops\`, or everything with \`npm start\`; the replay goes on by itself then.`,
    );
  };
}

/** Tells of a database that is away once until it is back. */
function faultWatch(display: Display): { onFault: (error: unknown) => void; onAnswer: () => void } {
  let told = false;
  return {
    onFault(error) {
      if (!told) display.say(`The database does not answer at the moment: ${messageOf(error)}. Trying again.`);
      told = true;
    },
    onAnswer() {
      told = false;
    },
  };
}

async function untilRest(client: Client, id: number, display: Display, options: WaitOptions): Promise<ReplayView> {
  const { signal, longestWithoutWorkerMilliseconds = WORKER_MILLISECONDS } = options;
  const missWorker = workerWatch(display, longestWithoutWorkerMilliseconds);
  const { onFault, onAnswer } = faultWatch(display);
  for (;;) {
    const view = await retryPassingFaults(async () => (await client.call(showOne, { id })).answer, { signal, onFault });
    onAnswer();
    display.show(view);
    if (isAtRest(view)) return view;
    missWorker(view);
    await delay(POLL_MILLISECONDS, undefined, { signal });
  }
}

/**
 * Shows on stderr how a replay goes on until it rests, and resolves with it as it stands then. Passing faults of the
 * database are waited out.
 *
 * @throws Error when the signal aborts: it says that the replay goes on, and how to look at it again
 */
export async function waitForRest(client: Client, id: number, options: WaitOptions): Promise<ReplayView> {
  const display = openDisplay();
  try {
    return await untilRest(client, id, display, options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    throw new Error(
      `${messageOf(options.signal.reason)} Replay ${id} goes on without you: \`milepost replay watch ${id}\` shows it again.`,
    );
  } finally {
    display.stop();
  }
}
