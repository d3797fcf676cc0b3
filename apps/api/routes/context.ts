import { type Headers, jsonResponse, problemResponses, RATE_LIMIT_HEADERS } from '@milepost/http/schema';
import Type, { type TSchema } from 'typebox';
import { PROBLEMS, type ProblemCode } from '../problems.ts';
import type { ServedLanes } from '../served-lanes.ts';

/** The dependencies of every endpoint. */
export interface RouteContext {
  lanes: ServedLanes;
  /** Returns the time, in epoch milliseconds. */
  now: () => number;
}

/** A request's headers other than the key. */
export const requestHeaders = Type.Object({
  'Content-Type': Type.Literal('application/json', {
    type: 'string',
    description: 'Required on every request, even though no request has a body. An operator can disable this rule.',
  }),
  'If-None-Match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of a response that you already have. Status 304 means that this response is still current.',
    }),
  ),
});

const ANSWER_HEADERS: Headers = {
  ETag: Type.String({ description: 'Identifies this version of the response.', examples: ['W/"3k1x9zv0c5t2a"'] }),
  'Milepost-Position': Type.Integer({
    minimum: 0,
    description:
      "Position of your fleet's last stored event that the response reflects. It can be lower for a few seconds when a different server responds, and when an operator moves your fleet to another log.",
    examples: [6403],
  }),
  'Milepost-Lag-Seconds': Type.Integer({
    minimum: 0,
    description:
      'How old the response may be, in seconds, rounded down: the age of the oldest stored event that has not been applied yet, or the delay of the standby that serves it, whichever is longer. 0 when no stored event is waiting.',
    examples: [0],
  }),
  ...RATE_LIMIT_HEADERS,
};

/**
 * Returns an endpoint's `response` schemas, one per status, for success, for the common problems and for the endpoint's
 * own problems.
 */
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
    304: {
      description: 'The response with the `ETag` in `If-None-Match` is still current.',
      type: 'null',
      headers: ANSWER_HEADERS,
    },
    ...problemResponses(PROBLEMS, [...own, ...common], { counted: true }),
  };
}
