import { type Headers, jsonResponse, problemResponses, RATE_LIMIT_HEADERS } from '@milepost/http';
import type { Pool } from '@milepost/postgres';
import Type, { type TSchema } from 'typebox';
import { PROBLEMS, type ProblemCode } from '../problems.ts';

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

/** What every endpoint asks for beside the key. */
export const requestHeaders = Type.Object({
  'Content-Type': Type.Literal('application/json', {
    type: 'string',
    description: 'Required on every request, although none has a body.',
  }),
  'If-None-Match': Type.Optional(
    Type.String({ description: 'The `ETag` of an answer that you have: 304 says that it is still current.' }),
  ),
});

const ANSWER_HEADERS: Headers = {
  ETag: Type.String({ description: 'Names this version of the answer.', examples: ['W/"3k1x9zv0c5t2a"'] }),
  'Milepost-Position': Type.Integer({
    minimum: 0,
    description: "Position of your fleet's last stored event that the answer reflects.",
    examples: [6403],
  }),
  'Milepost-Lag-Seconds': Type.Integer({
    minimum: 0,
    description: 'How old the answer may be: whole seconds that the oldest stored event has waited; 0 when none waits.',
    examples: [0],
  }),
  ...RATE_LIMIT_HEADERS,
};

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
    200: jsonResponse(success, ANSWER_HEADERS),
    304: { description: 'What `If-None-Match` names is still current.', type: 'null', headers: ANSWER_HEADERS },
    ...problemResponses(PROBLEMS, [...own, ...common], { counted: true }),
  };
}
