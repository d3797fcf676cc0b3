import { problemResponses } from '@milepost/http';
import type { Pool } from '@milepost/postgres';
import type { TSchema } from 'typebox';
import { PROBLEMS, type ProblemCode } from '../problems/codes.ts';

/** What every endpoint works with. */
export interface RouteContext {
  pool: Pool;
  /** The time, in epoch milliseconds. */
  now: () => number;
}

/** Trips become visible this long after their end. */
const PROCESSING_MILLISECONDS = 4 * 60 * 60 * 1000;

/** The latest end, in epoch milliseconds, of a trip that may be seen now. */
export function latestVisibleEnd(now: number): number {
  return now - PROCESSING_MILLISECONDS;
}

/** The `response` schemas of an endpoint, one per status: its success, what any endpoint may say, and its own problems. */
export function responses(success: TSchema, ...own: ProblemCode[]) {
  const common = [
    'unauthorized',
    'unsupported_media_type',
    'rate_limited',
    'internal',
    'overloaded',
    'unavailable',
  ] as const;
  return {
    200: success,
    304: { description: 'What `If-None-Match` names is still current.', type: 'null' },
    ...problemResponses(PROBLEMS, [...own, ...common]),
  };
}
