import { scoreDriving } from '@milepost/domain/score';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import fastJson from 'fast-json-stringify';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { DailySummary, type DrivingFigures, WeekTotals } from '../resources.ts';

/** The summed fields of a driver's trips, in the order of exact sums. Exported for tests. */
export const SUMMED = ['trip_count', ...SUMMED_FIELDS] as const;

/**
 * Sums over some trips, in the order of `SUMMED`, in PostgreSQL's text format of numeric[]: `{2,7.25,…}`.
 * The value stays text until all additions are done, because a double would not hold it exactly.
 */
type ExactSums = string;

const Sums = Type.Record(Type.Enum([...SUMMED]), Type.Number());
/** The same sums as doubles, for answers. */
type Sums = Static<typeof Sums>;
const NO_SUMS = Value.Create(Sums);

function arrayText(elements: readonly string[]): string {
  return `ARRAY[${elements.join(', ')}]::text`;
}

/** An SQL expression for exact sums over rows that are trips. */
export const SUMS_OF_TRIPS = arrayText(['count(*)::numeric', ...SUMMED_FIELDS.map((field) => `sum(${field})`)]);

/** An SQL expression that adds up partial sums in columns of the same names. */
export const SUMS_OF_SUMS = arrayText(SUMMED.map((field) => `sum(${field})`));

/** Returns an SQL expression for exact running sums over a window. A row of the window is a group of partial sums. */
export function runningSumsOfSums(window: string): string {
  return arrayText(SUMMED.map((field) => `sum(sum(${field})) OVER ${window}`));
}

/**
 * Returns an SQL expression for exact running sums over a window. `column`, a numeric[], holds the exact sums of each
 * row.
 */
export function runningSums(column: string, window: string): string {
  return arrayText(SUMMED.map((_, place) => `sum(${column}[${place + 1}]) OVER ${window}`));
}

/** Reads exact sums as doubles. Throws for any other text. */
function readSums(sums: ExactSums): Sums {
  const figures = sums.slice(1, -1).split(',');
  const read = { ...NO_SUMS };
  let place = 0;
  for (const field of SUMMED) {
    const value = Number(figures[place] ?? Number.NaN);
    if (Number.isNaN(value)) throw new Error(`Not the sums of trips: ${sums}.`);
    // Sums of large doubles can exceed the maximum, and JSON has no infinity.
    read[field] = Math.min(value, Number.MAX_VALUE);
    place += 1;
  }
  return read;
}

function toFigures(sums: Sums): DrivingFigures {
  const { fm_score, fm_grade, focus } = scoreDriving(sums);
  return { fm_score, fm_grade, ...sums, events_summary: sums, focus_area: focus };
}

/** Returns the figures of a summary, with score, grade and focus areas from the sums, for the functions below. */
export function toDrivingFigures(sums: ExactSums): DrivingFigures {
  return toFigures(readSums(sums));
}

/** The figures of a day or week without trips, for the functions below. */
export const NO_DRIVING: DrivingFigures = { ...toFigures(NO_SUMS), fm_score: null, fm_grade: null };

/** Render summaries as the JSON of answers. They omit fields that the schema does not have. */
export const renderDay = fastJson(DailySummary);
export const renderWeek = fastJson(WeekTotals);
