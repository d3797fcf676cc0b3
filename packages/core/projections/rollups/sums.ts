import { scoreDriving } from '@milepost/domain/score';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import fastJson from 'fast-json-stringify';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { DailySummary, type DrivingFigures, WeekTotals } from '../resources.ts';

/** The summed fields of a driver's trips, in the order used in exact sums. Exported for tests. */
export const SUMMED = ['trip_count', ...SUMMED_FIELDS] as const;

/**
 * Exact sums over some trips, in the order of `SUMMED`, in PostgreSQL's text format for numeric[], such as
 * `{2,7.25,…}`. The sums stay text until PostgreSQL has added up everything, because doubles would not be exact.
 */
type ExactSums = string;

const Sums = Type.Record(Type.Enum([...SUMMED]), Type.Number());
/** The same sums as doubles, for responses. */
type Sums = Static<typeof Sums>;
const NO_SUMS = Value.Create(Sums);

function arrayText(elements: readonly string[]): string {
  return `ARRAY[${elements.join(', ')}]::text`;
}

/** An SQL expression for exact sums over rows of trips. */
export const SUMS_OF_TRIPS = arrayText(['count(*)::numeric', ...SUMMED_FIELDS.map((field) => `sum(${field})`)]);

/** An SQL expression that adds up partial sums, whose columns are named as in `SUMMED`. */
export const SUMS_OF_SUMS = arrayText(SUMMED.map((field) => `sum(${field})`));

/** Returns an SQL expression for exact running sums over a window, in a query that groups partial sums. */
export function runningSumsOfSums(window: string): string {
  return arrayText(SUMMED.map((field) => `sum(sum(${field})) OVER ${window}`));
}

/**
 * Returns an SQL expression for exact running sums over a window. `column` is a numeric[] with the exact sums of each
 * row.
 */
export function runningSums(column: string, window: string): string {
  return arrayText(SUMMED.map((_, place) => `sum(${column}[${place + 1}]) OVER ${window}`));
}

/** Reads exact sums as doubles. Throws for any other string. */
function readSums(sums: ExactSums): Sums {
  const figures = sums.slice(1, -1).split(',');
  const read = { ...NO_SUMS };
  let place = 0;
  for (const field of SUMMED) {
    const value = Number(figures[place] ?? Number.NaN);
    if (Number.isNaN(value)) throw new Error(`Not the sums of trips: ${sums}.`);
    // Sums of large doubles can exceed the maximum, and JSON cannot express infinity.
    read[field] = Math.min(value, Number.MAX_VALUE);
    place += 1;
  }
  return read;
}

function toFigures(sums: Sums): DrivingFigures {
  const { fm_score, fm_grade, focus } = scoreDriving(sums);
  return { fm_score, fm_grade, ...sums, events_summary: sums, focus_area: focus };
}

/** Returns a summary's figures, with score, grade and focus areas, from the sums. */
export function toDrivingFigures(sums: ExactSums): DrivingFigures {
  return toFigures(readSums(sums));
}

/** The figures for a day or week without trips, rendered by the functions below. */
export const NO_DRIVING: DrivingFigures = { ...toFigures(NO_SUMS), fm_score: null, fm_grade: null };

/** These functions render summaries as JSON for responses and omit fields that are not in the schema. */
export const renderDay = fastJson(DailySummary);
export const renderWeek = fastJson(WeekTotals);
