import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pool } from 'pg';
import { median, spreadPercent } from './figures.ts';
import { IS_SMOKE } from './sizes.ts';

/** The directory for the results, which Git ignores. */
export const RESULTS_DIRECTORY = resolve(import.meta.dirname, '../../../results');

/** The condition for a ratio or, without a peer, for the measured number itself. */
export interface Goal {
  is: 'at least' | 'at most';
  value: number;
}

/** One line of a table: Milepost's result and its reference in each round of the same run. */
export interface Measurement {
  /** What is measured, such as `small trips, Kafka to readable`. */
  work: string;
  unit: string;
  /** One number for each round, in `unit`. */
  milepost: readonly number[];
  /**
   * The lower bound or the peer, with its rounds in the same order as Milepost's; null if the goal is a plain number.
   */
  against: { name: string; figures: readonly number[] } | null;
  goal: Goal | null;
}

/** One line of a table, as it is stored. */
export interface Row {
  work: string;
  unit: string;
  milepost: { median: number; spread_percent: number; rounds: readonly number[] };
  against: { name: string; median: number; spread_percent: number; rounds: readonly number[] } | null;
  /**
   * Milepost's number divided by the reference, as the median over the rounds. Without a reference, Milepost's number
   * itself.
   */
  ratio: number;
  goal: Goal | null;
  reached: boolean | null;
}

/** The results of one benchmark, as they are stored in `results/`. */
export interface Result {
  benchmark: string;
  measured_at: string;
  environment: Record<string, string>;
  sizes: Record<string, number | string>;
  rows: Row[];
}

function summarize(figures: readonly number[]) {
  return { median: median(figures), spread_percent: spreadPercent(figures), rounds: figures };
}

function ratioOf({ milepost, against }: Measurement): number {
  if (against === null) return median(milepost);
  if (against.figures.length !== milepost.length) return median(milepost) / median(against.figures);
  return median(milepost.map((figure, round) => figure / (against.figures[round] ?? Number.NaN)));
}

function toRow(measurement: Measurement): Row {
  const { work, unit, milepost, against, goal } = measurement;
  const ratio = ratioOf(measurement);
  const reached = goal === null ? null : goal.is === 'at least' ? ratio >= goal.value : ratio <= goal.value;
  return {
    work,
    unit,
    milepost: summarize(milepost),
    against: against && { name: against.name, ...summarize(against.figures) },
    ratio,
    goal,
    reached,
  };
}

/** Formats a number with at most four significant digits. */
export function shown(figure: number): string {
  if (Math.abs(figure) >= 1000) return Math.round(figure).toLocaleString('en');
  return String(Number(figure.toPrecision(3)));
}

export const HEADINGS = ['work', 'Milepost', 'against', 'ratio', 'goal', ''] as const;

/** Returns the cells of a row, in the order of `HEADINGS`. */
export function cellsOf(row: Row): string[] {
  const side = (figures: { median: number; spread_percent: number; rounds: readonly number[] }) =>
    `${shown(figures.median)}${figures.rounds.length > 1 ? ` ± ${figures.spread_percent.toFixed(0)} %` : ''}`;
  return [
    row.work,
    `${side(row.milepost)} ${row.unit}`,
    row.against === null ? '' : `${row.against.name}: ${side(row.against)}`,
    row.against === null ? '' : `${shown(row.ratio)} x`,
    row.goal === null ? '' : `${row.goal.is} ${shown(row.goal.value)}${row.against === null ? '' : ' x'}`,
    row.reached === null ? '' : row.reached ? 'reached' : 'MISSED',
  ];
}

function printTable(rows: readonly Row[]): void {
  const lines = [[...HEADINGS], ...rows.map(cellsOf)];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  for (const cells of lines)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** Describes the machine and the versions with which the benchmark ran. */
async function describeEnvironment(database: Pool | null): Promise<Record<string, string>> {
  const settings = await database?.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'shared_buffers')",
  );
  const server = Object.fromEntries((settings?.rows ?? []).map(({ name, setting }) => [`postgres ${name}`, setting]));
  return {
    processors: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: release(),
    node: process.version,
    ...server,
  };
}

/**
 * Prints a benchmark's table and writes it as JSON to `results/`, from which the plot is drawn.
 *
 * @param sizes the size of the data: trips, drivers, points, rounds
 * @param database where to read versions and durability settings; null if the benchmark uses no database
 */
export async function report(
  benchmark: string,
  measurements: readonly Measurement[],
  sizes: Record<string, number | string>,
  database: Pool | null,
): Promise<void> {
  const rows = measurements.map(toRow);
  const environment = await describeEnvironment(database);
  for (const [name, value] of Object.entries({ ...environment, ...sizes })) console.log(`${name}: ${value}`);
  printTable(rows);
  if (IS_SMOKE) return;
  await mkdir(RESULTS_DIRECTORY, { recursive: true });
  const result: Result = { benchmark, measured_at: new Date().toISOString(), environment, sizes, rows };
  await writeFile(join(RESULTS_DIRECTORY, `${benchmark}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
