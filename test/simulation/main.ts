import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Found } from './thread.ts';

const USAGE = [
  'npm run simulate:protocols -- [--minutes M] [--seed S]: runs interleavings of ingest and fleet moves in a',
  'simulation, until the time has passed or one of them breaks a rule. It prints their number for each minute. The exit',
  'code is 1 when a rule is broken: then it prints the seed and the steps of the shortest run. Defaults: --minutes 1, and',
  'a random seed.',
].join('\n');

/** High enough to keep the seeds of different threads from overlapping. */
const SEEDS_PER_THREAD = 100_000_000;

/** Runs a thread and returns its result. */
async function runThread(seed: number, milliseconds: number): Promise<Found> {
  const { promise, resolve, reject } = Promise.withResolvers<Found>();
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { seed, milliseconds } });
  thread.on('message', resolve).on('error', reject);
  return await promise;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEEDS_PER_THREAD)) },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (values.help) {
  console.log(USAGE);
} else if (!(minutes > 0) || !Number.isSafeInteger(seed) || seed < 0) {
  console.error(`--minutes must be a positive number, and --seed an integer from 0 on.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const threads = Array.from({ length: availableParallelism() }, (_, index) => index);
  console.log(`seed ${seed}, ${minutes} minutes, ${threads.length} threads`);
  const found = await Promise.all(threads.map((index) => runThread(seed + index * SEEDS_PER_THREAD, minutes * 60_000)));
  const sum = (of: (each: Found) => number) => found.reduce((total, each) => total + of(each), 0);
  const interleavings = sum((each) => each.interleavings);
  const elapsed = Math.max(...found.map((each) => each.minutes));
  const busy = sum((each) => each.processorMinutes);
  console.log(`${interleavings} interleavings with ${sum((each) => each.steps)} steps`);
  console.log(`${Math.round(interleavings / elapsed)} interleavings a minute`);
  console.log(`${Math.round(interleavings / busy)} interleavings a minute of one processor`);
  for (const { report } of found.filter((each) => each.report !== '')) {
    console.log(report);
    process.exitCode = 1;
  }
}
