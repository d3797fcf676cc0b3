import Type, { type Static } from 'typebox';
import { EventSummary } from './event-summary.ts';
import { Nullable } from './nullable.ts';

const Day = Type.String({ format: 'date' });

export const SummaryFocusArea = Type.Object({
  is_phone_use: Type.Boolean(),
  is_overspeeding: Type.Boolean(),
  is_hard_brake: Type.Boolean(),
  is_acceleration: Type.Boolean(),
});

const figures = {
  fm_score: Nullable<number>(Type.Number({ description: '0 to 100, one decimal; null when nothing was driven.' })),
  fm_grade: Nullable<string>(Type.String({ description: 'excellent, good, fair or poor; null without a score.' })),
  trip_count: Type.Integer(),
  distance_miles: Type.Number(),
  duration_seconds: Type.Number(),
  night_driving_seconds: Type.Number(),
  highway_miles: Type.Number(),
  events_summary: EventSummary,
  focus_area: SummaryFocusArea,
};

export const DailySummary = Type.Object({ ...figures, date: Day });
export type DailySummary = Static<typeof DailySummary>;

/** A week's figures without the breakdown, which is read from the days. */
export const WeekTotals = Type.Object({ ...figures, start_date: Day, end_date: Day });
export type WeekTotals = Static<typeof WeekTotals>;

export const WeeklySummary = Type.Object({
  ...WeekTotals.properties,
  daily_summary_breakdown: Type.Array(DailySummary, { description: 'One entry for each day driven, ascending.' }),
});

/** What both kinds of summary share. */
export type DrivingFigures = Omit<DailySummary, 'date'>;
