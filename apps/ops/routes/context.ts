import { problemResponses } from '@milepost/http';
import type { AskEndOffsets } from '@milepost/operations/status';
import type { Pool } from '@milepost/postgres';
import { PROBLEMS, type ProblemCode } from '../problems/codes.ts';
import type { Enqueue } from '../queue/index.ts';

/** What the routes work with. */
export interface RouteContext {
  /** In the role `milepost_operator`. */
  pool: Pool;
  /** In the role `milepost_ingest`: dead letters that are tried again are stored as records are. */
  ingestPool: Pool;
  /** In the role `milepost_eraser`. */
  eraserPool: Pool;
  /** Hands a job to the worker. */
  enqueue: Enqueue;
  /** Null when records do not come from Kafka. */
  askEndOffsets: AskEndOffsets | null;
}

/** The `response` schemas of an endpoint for its problems: what any endpoint may say, and its own. */
export function problems(...own: ProblemCode[]) {
  return problemResponses(PROBLEMS, [
    ...new Set<ProblemCode>(['invalid_parameter', ...own]),
    'unauthorized',
    'rate_limited',
    'internal',
    'overloaded',
    'unavailable',
  ]);
}

/** The same of an endpoint that changes something: it may find fault with the body, and with who asks. */
export function changeProblems(...own: ProblemCode[]) {
  return problems('bad_request', 'body_too_large', 'unsupported_media_type', ...own);
}
