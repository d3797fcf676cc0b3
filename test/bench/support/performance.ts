import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plot } from './plot.ts';
import { cellsOf, HEADINGS, RESULTS_DIRECTORY, type Result } from './results.ts';

/** Returns the latest results of all benchmarks in `results/`, by name. */
export async function readResults(): Promise<Result[]> {
  const files = await readdir(RESULTS_DIRECTORY).catch((): string[] => []);
  return await Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map(async (file): Promise<Result> => JSON.parse(await readFile(join(RESULTS_DIRECTORY, file), 'utf8'))),
  );
}

function listed(values: Record<string, number | string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function environmentOf(results: readonly Result[]): Record<string, string> {
  return Object.assign({}, ...results.map(({ environment }) => environment));
}

/** Returns all rows as a Markdown table, together with the environment in which they were measured. */
function toMarkdown(results: readonly Result[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const headings = ['benchmark', ...HEADINGS.map((heading) => heading || 'reached')];
  return `${[
    listed(environmentOf(results)),
    '',
    line(headings),
    line(headings.map(() => '---')),
    ...results.flatMap(({ benchmark, rows }) => rows.map((row) => line([benchmark, ...cellsOf(row)]))),
    '',
    ...results.map(
      ({ benchmark, measured_at, sizes }) => `- ${benchmark}, ${measured_at.slice(0, 10)}: ${listed(sizes)}`,
    ),
  ].join('\n')}\n`;
}

/**
 * Draws `results/performance.svg` and writes `results/performance.md` from the stored results. Without results, does
 * nothing.
 */
export async function writePerformance(): Promise<void> {
  const results = await readResults();
  if (results.length === 0) return;
  const { processors, node, ...others } = environmentOf(results);
  const note = [processors, `Node ${node}`, `PostgreSQL ${others['postgres server_version']}`].join(', ');
  await writeFile(
    join(RESULTS_DIRECTORY, 'performance.svg'),
    plot(
      results.flatMap(({ rows }) => rows),
      note,
    ),
  );
  await writeFile(join(RESULTS_DIRECTORY, 'performance.md'), toMarkdown(results));
}
