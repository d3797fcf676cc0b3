import { scoreDriving } from '@milepost/domain/score';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import fastJson from 'fast-json-stringify';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { DailySummary, type DrivingFigures, WeekTotals } from '../resources.ts';

/** What is summed of a driver's trips, in the order of exact sums. Exported for tests. */
export const SUMMED = ['trip_count', ...SUMMED_FIELDS] as const;

/**
 * Sums over some trips, in the order of `SUMMED`, as PostgreSQL writes an array of numeric: `{2,7.25,…}`.
 * It stays text wherever something is added to it, as a double would not hold it exactly.
 */
type ExactSums = string;

const Sums = Type.Record(Type.Enum([...SUMMED]), Type.Number());
/** The same as doubles, which is what is answered. */
type Sums = Static<typeof Sums>;
const NO_SUMS = Value.Create(Sums);

function arrayText(elements: readonly string[]): string {
  return `ARRAY[${elements.join(', ')}]::text`;
}

/** SQL of the exact sums of rows that are trips. */
export const SUMS_OF_TRIPS = arrayText(['count(*)::numeric', ...SUMMED_FIELDS.map((field) => `sum(${field})`)]);

/** SQL of the exact sums of rows that have sums in columns of the same names. */
export const SUMS_OF_SUMS = arrayText(SUMMED.map((field) => `sum(${field})`));

/** SQL of exact sums running over a window of groups of such rows. */
export function runningSumsOfSums(window: string): string {
  return arrayText(SUMMED.map((field) => `sum(sum(${field})) OVER ${window}`));
}

/** SQL of exact sums running over a window of rows that have exact sums in `column`, as numeric[]. */
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
    // Sums of doubles near their limit can pass it, and JSON has no infinity.
    read[field] = Math.min(value, Number.MAX_VALUE);
    place += 1;
  }
  return read;
}

function toFigures(sums: Sums): DrivingFigures {
  const { fm_score, fm_grade, focus } = scoreDriving(sums);
  return { fm_score, fm_grade, ...sums, events_summary: sums, focus_area: focus };
}

/** The figures of a summary, with score, grade and focus areas from the summed inputs; to be rendered as below. */
export function toDrivingFigures(sums: ExactSums): DrivingFigures {
  return toFigures(readSums(sums));
}

/** The figures of a day or week without trips; to be rendered as below. */
export const NO_DRIVING: DrivingFigures = { ...toFigures(NO_SUMS), fm_score: null, fm_grade: null };

/** Summaries as JSON, as they are served. They leave out what the schema does not have. */
export const renderDay = fastJson(DailySummary);
export const renderWeek = fastJson(WeekTotals);
