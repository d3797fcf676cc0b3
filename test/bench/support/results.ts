import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Pool } from 'pg';
import { median, spreadPercent } from './figures.ts';
import { IS_SMOKE } from './sizes.ts';

/** The results directory, which Git ignores. */
const RESULTS_DIRECTORY = resolve(import.meta.dirname, '../../../results');

/** One line of a table: Milepost's result and its reference in each round of one run. */
export interface Measurement {
  /** What is measured, such as `small trips, Kafka to readable`. */
  work: string;
  unit: string;
  /** One figure for each round, in `unit`. */
  milepost: readonly number[];
  /** The baseline or the peer, with its rounds in the same order as Milepost's. */
  against?: { name: string; figures: readonly number[] } | null;
  /** What the ratio must be or, without a reference, what Milepost's figure must be. */
  goal?: { is: 'at least' | 'at most'; value: number } | null;
}

/** Returns the goal that a figure is at least this value. */
export const atLeast = (value: number) => ({ is: 'at least', value }) as const;
/** Returns the goal that a figure is at most this value. */
export const atMost = (value: number) => ({ is: 'at most', value }) as const;

/**
 * Divides Milepost's figure by the reference's in each round, and returns the median ratio. Without a reference,
 * returns the median of Milepost's figures.
 */
function ratioOf({ milepost, against }: Measurement): number {
  if (!against) return median(milepost);
  if (against.figures.length !== milepost.length) return median(milepost) / median(against.figures);
  return median(milepost.map((figure, round) => figure / (against.figures[round] ?? Number.NaN)));
}

/** Formats a number with at most four significant digits. */
function shown(figure: number): string {
  if (Math.abs(figure) >= 1000) return Math.round(figure).toLocaleString('en');
  return String(Number(figure.toPrecision(3)));
}

/** Formats the median of the rounds and their spread. */
function shownRounds(figures: readonly number[]): string {
  return `${shown(median(figures))}${figures.length > 1 ? ` ± ${spreadPercent(figures).toFixed(0)}%` : ''}`;
}

/** Returns a measurement's row for the table that is printed and stored. */
function toRow(measurement: Measurement): Record<string, string> {
  const { work, unit, milepost, against, goal } = measurement;
  const ratio = ratioOf(measurement);
  const isReached = goal && (goal.is === 'at least' ? ratio >= goal.value : ratio <= goal.value);
  const times = against ? ' x' : '';
  return {
    work,
    Milepost: `${shownRounds(milepost)} ${unit}`,
    against: against ? `${against.name}: ${shownRounds(against.figures)}` : '',
    ratio: against ? `${shown(ratio)} x` : '',
    goal: goal ? `${goal.is} ${shown(goal.value)}${times}${isReached ? '' : ': MISSED'}` : '',
  };
}

/** Describes the machine on which the benchmark ran, and the versions. */
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
 * Prints a benchmark's table, and writes it with the figures of all rounds to `results/` as JSON. The file has the
 * benchmark's name.
 *
 * @param sizes the size of the data: trips, drivers, points, rounds
 * @param database where to read versions and durability settings; null if the benchmark uses no database
 */
export async function report(
  measurements: readonly Measurement[],
  sizes: Record<string, number | string>,
  database: Pool | null,
): Promise<void> {
  const benchmark = basename(process.argv[1] ?? '', '.ts');
  const rows = measurements.map(toRow);
  const environment = await describeEnvironment(database);
  for (const [name, value] of Object.entries({ ...environment, ...sizes })) console.log(`${name}: ${value}`);
  console.table(rows);
  if (IS_SMOKE) return;
  await mkdir(RESULTS_DIRECTORY, { recursive: true });
  const result = { benchmark, measured_at: new Date().toISOString(), environment, sizes, rows, measurements };
  await writeFile(join(RESULTS_DIRECTORY, `${benchmark}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
