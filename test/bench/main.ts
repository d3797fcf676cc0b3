import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readResults, writePerformance } from './support/performance.ts';
import { cellsOf } from './support/results.ts';

const PLOT = 'plot';

/** Returns the benchmarks, each with the comment in its first line. */
async function findBenchmarks(): Promise<Map<string, string>> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.ts') && file !== 'main.ts');
  const entries = files.sort().map(async (file): Promise<[string, string]> => {
    const [, about = ''] = /^\/\*\* (.+) \*\/\n/.exec(await readFile(join(import.meta.dirname, file), 'utf8')) ?? [];
    return [file.slice(0, -'.ts'.length), about];
  });
  return new Map(await Promise.all(entries));
}

function usage(benchmarks: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...benchmarks.keys()].map((name) => name.length));
  return [
    'npm run bench -- [--smoke] [NAME...]: runs the named benchmarks, or all, one after another, each in its own process.',
    'The results are written to results/, as JSON, as a plot (performance.svg) and as Markdown (performance.md).',
    'With --smoke, each benchmark runs with tiny sizes, only to show that it still runs, and writes no results.',
    '',
    ...[...benchmarks].map(([name, about]) => `  ${name.padEnd(width)}  ${about}`),
    `  ${PLOT.padEnd(width)}  Measures nothing; draws the plot and writes the table again.`,
  ].join('\n');
}

/** Runs all benchmarks, even after one has failed. Returns those that failed. */
async function runAll(names: readonly string[], isSmoke: boolean): Promise<string[]> {
  const env = isSmoke ? { ...process.env, BENCH_SMOKE: '1' } : process.env;
  const failed: string[] = [];
  for (const name of names) {
    console.log(`\n== ${name}`);
    const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit', env });
    const [code] = await once(child, 'close');
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/** Prints the goals that benchmarks have missed since `start`. A missed goal is a result, not an error. */
async function printMissed(start: Date): Promise<void> {
  const results = (await readResults()).filter(({ measured_at }) => new Date(measured_at) >= start);
  const missed = results.flatMap(({ benchmark, rows }) =>
    rows
      .filter(({ reached }) => reached === false)
      .map((row) => [benchmark, ...cellsOf(row)].filter(Boolean).join('  ')),
  );
  if (missed.length > 0) console.log(['\ngoals missed:', ...missed].join('\n'));
}

const benchmarks = await findBenchmarks();
const isSmoke = process.argv.includes('--smoke');
const wanted = process.argv.slice(2).filter((word) => word !== '--smoke');
const unknown = wanted.find((name) => name !== PLOT && !benchmarks.has(name));
if (wanted.includes('--help') || wanted.includes('-h')) {
  console.log(usage(benchmarks));
} else if (unknown !== undefined) {
  console.error(`Unknown benchmark: ${unknown}.\n\n${usage(benchmarks)}`);
  process.exitCode = 2;
} else {
  const start = new Date();
  const names = wanted.length === 0 ? [...benchmarks.keys()] : wanted.filter((name) => name !== PLOT);
  const failed = await runAll(names, isSmoke);
  if (!isSmoke) {
    await writePerformance();
    await printMissed(start);
  }
  if (failed.length > 0) {
    console.error(`\nfailed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
