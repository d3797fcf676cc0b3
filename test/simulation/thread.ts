import { parentPort, workerData } from 'node:worker_threads';
import { runIngest } from './ingest/world.ts';
import { runReplays } from './replay/world.ts';
import { describeFailure, search } from './search.ts';

/** The result of a thread. */
export interface Found {
  interleavings: number;
  steps: number;
  minutes: number;
  processorMinutes: number;
  /** Empty when no rule is broken. */
  report: string;
}

/** How many interleavings of one scenario run before the other scenario continues. */
const ROUND = 50;

/** Runs both scenarios in turn until the time is over. Returns the result. */
async function run(firstSeed: number, milliseconds: number): Promise<Found> {
  const started = Date.now();
  const cpu = process.threadCpuUsage();
  const found = { interleavings: 0, steps: 0, report: '' };
  for (let seed = firstSeed; found.report === '' && Date.now() - started < milliseconds; seed += ROUND) {
    for (const scenario of [runIngest, runReplays]) {
      const { interleavings, steps, failure } = await search(scenario, seed, (count) => count >= ROUND);
      found.interleavings += interleavings;
      found.steps += steps;
      if (failure !== null) found.report = describeFailure(failure);
    }
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const [minutes, processorMinutes] = [(Date.now() - started) / 60_000, (user + system) / 60_000_000];
  return { ...found, minutes, processorMinutes };
}

parentPort?.postMessage(await run(workerData.seed, workerData.milliseconds));
