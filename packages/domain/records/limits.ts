import { MILLISECONDS_PER_DAY } from '../calendar/index.ts';

/** Most bytes a record may have. 50,000 trail points of 130 bytes each are 6.5 MB. */
export const RECORD_LIMIT_BYTES = 16 * 1024 * 1024;

/** Most points of a trail path. */
export const TRAIL_POINT_LIMIT = 50_000;

/** How far after the present a trip may start, for clocks that disagree. */
export const START_LEAD_LIMIT_MILLISECONDS = MILLISECONDS_PER_DAY;
