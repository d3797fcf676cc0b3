export { type CallOptions, type ClientOptions, MilepostClient } from './client.ts';
export { type Failure, MilepostError, type ProblemCode } from './error.ts';
export {
  type AnswerOf,
  type DailyDriverSummary,
  type DailySummary,
  type Driver,
  MAX_PAGE_SIZE,
  type ParametersOf,
  type Problem,
  type ReportPath,
  type ReportRequest,
  requestTo,
  type TrailPoint,
  type Trip,
  type TripDetail,
  type TripEvent,
  type WeeklyDriverSummary,
  type WeeklySummary,
} from './report-request.ts';
