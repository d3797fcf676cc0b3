import { parentPort, workerData } from 'node:worker_threads';
import { runIngest } from './ingest/world.ts';
import { describeFailure, search } from './search.ts';

/** The result of a thread. The report is empty when no rule is broken. */
export type Found = Awaited<ReturnType<typeof run>>;

/** How many interleavings run before the thread checks the clock. */
const ROUND = 50;

/** Runs interleavings until the time is up. Returns the result. */
async function run(firstSeed: number, milliseconds: number) {
  const started = Date.now();
  const cpu = process.threadCpuUsage();
  const found = { interleavings: 0, steps: 0, report: '' };
  for (let seed = firstSeed; found.report === '' && Date.now() - started < milliseconds; seed += ROUND) {
    const { interleavings, steps, failure } = await search(runIngest, seed, (count) => count >= ROUND);
    found.interleavings += interleavings;
    found.steps += steps;
    if (failure !== null) found.report = describeFailure(failure);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const [minutes, processorMinutes] = [(Date.now() - started) / 60_000, (user + system) / 60_000_000];
  return { ...found, minutes, processorMinutes };
}

parentPort?.postMessage(await run(workerData.seed, workerData.milliseconds));
