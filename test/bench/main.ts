import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the benchmarks, each with the comment on its first line. */
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
    'The results are printed as a table and written to results/ as JSON.',
    'With --smoke, each benchmark runs with tiny sizes, only to show that it still runs, and writes no results.',
    '',
    ...[...benchmarks].map(([name, about]) => `  ${name.padEnd(width)}  ${about}`),
  ].join('\n');
}

/** Runs all benchmarks, even after one has failed. Returns the names of the failed benchmarks. */
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

const benchmarks = await findBenchmarks();
const isSmoke = process.argv.includes('--smoke');
const wanted = process.argv.slice(2).filter((word) => word !== '--smoke');
const unknown = wanted.find((name) => !benchmarks.has(name));
if (wanted.includes('--help') || wanted.includes('-h')) {
  console.log(usage(benchmarks));
} else if (unknown !== undefined) {
  console.error(`Unknown benchmark: ${unknown}.\n\n${usage(benchmarks)}`);
  process.exitCode = 2;
} else {
  const failed = await runAll(wanted.length === 0 ? [...benchmarks.keys()] : wanted, isSmoke);
  if (failed.length > 0) {
    console.error(`\nfailed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
