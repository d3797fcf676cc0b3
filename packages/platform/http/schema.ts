import Type, { type TProperties, type TSchema } from 'typebox';
import { HttpProblem, type ProblemKinds, problemDetails, problemPath } from './problem.ts';

const REQUEST_ID = '03bf579e-482e-44d8-8928-4c2f8a953fe6';
const START_DATE_ERROR = { parameter: 'start_date', message: 'Must be a date written YYYY-MM-DD, such as 2026-01-31.' };

const ParameterError = Type.Object(
  {
    parameter: Type.String({ description: 'The name of the parameter.', examples: [START_DATE_ERROR.parameter] }),
    message: Type.String({
      description: 'The rule for its value, in a sentence.',
      examples: [START_DATE_ERROR.message],
    }),
  },
  { $id: 'ParameterError', description: 'An error in one parameter.' },
);

/** Returns the schema of a server's error responses (RFC 9457). */
export function problemSchema(kinds: ProblemKinds, extensions: TProperties = {}) {
  const meanings = Object.entries(kinds).map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`);
  return Type.Object(
    {
      type: Type.String({
        format: 'uri-reference',
        description: "This server's page about the code.",
        examples: [problemPath('invalid_parameter')],
      }),
      title: Type.String({ description: 'The code in words.', examples: ['Invalid parameter'] }),
      status: Type.Integer({ description: 'The HTTP status code of the response.', examples: [400] }),
      detail: Type.String({
        description: 'The error in this request, in a sentence.',
        examples: ['Wrong or missing: start_date.'],
      }),
      code: Type.Enum(Object.keys(kinds), { description: meanings.join('\n'), examples: ['invalid_parameter'] }),
      request_id: Type.String({ description: "The id of this request in the service's logs.", examples: [REQUEST_ID] }),
      errors: Type.Optional(Type.Array(ParameterError, { description: 'All wrong or missing parameters.' })),
      ...extensions,
    },
    { $id: 'Problem', description: 'An error (RFC 9457).' },
  );
}

/** Returns an example response for each code. The components of an OpenAPI document contain these examples. */
export function problemExamples(kinds: ProblemKinds): Record<string, { summary: string; value: object }> {
  const examples = Object.entries(kinds).map(([code, kind]) => {
    const errors = code === 'invalid_parameter' ? [START_DATE_ERROR] : [];
    const problem = new HttpProblem(code, kind, kind.example, { errors });
    return [code, { summary: problem.title, value: problemDetails(problem, REQUEST_ID, '') }];
  });
  return Object.fromEntries(examples);
}

/** The headers of a response, by name. */
export type Headers = Readonly<Record<string, TSchema>>;

/** The headers in responses to requests counted by the rate limit. */
export const RATE_LIMIT_HEADERS: Headers = {
  'RateLimit-Limit': Type.Integer({ description: 'The maximum number of requests in a minute.', examples: [5000] }),
  'RateLimit-Remaining': Type.Integer({
    description: 'The number of requests remaining in this minute.',
    examples: [4999],
  }),
  'RateLimit-Reset': Type.Integer({ description: 'The number of seconds until the limit resets.', examples: [42] }),
};

/** Returns the OpenAPI response object for a JSON body. */
export function jsonResponse(schema: TSchema & { description?: string }, headers: Headers = {}) {
  const description = schema.description ?? 'The response.';
  return { description, headers, content: { 'application/json': { schema } } };
}

/** The header in refusals that a client should retry. */
export const RETRY_AFTER: Headers = {
  'Retry-After': Type.Integer({ description: 'The number of seconds to wait before the next request.', examples: [2] }),
};
const HEADERS_BY_STATUS: Readonly<Record<number, Headers>> = {
  401: {
    'WWW-Authenticate': Type.String({ description: 'The scheme that Authorization must use.', examples: ['APIKEY'] }),
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
/** The OpenAPI declaration of the header that every response contains. */
export const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: "The id of this request in the service's logs and in the `request_id` of a problem.",
    schema: { type: 'string', examples: [REQUEST_ID] },
  },
};

/** Statuses of requests that may be refused before the rate limit counts them. */
const UNCOUNTED_STATUSES: readonly number[] = [401, 408, 417, 431, 503];

/**
 * Returns the `response` entries, one per status, for an endpoint that may respond with the given codes.
 *
 * @param counted whether the rate limit applies to the endpoint
 */
export function problemResponses<Kinds extends ProblemKinds>(
  kinds: Kinds,
  codes: readonly (keyof Kinds & string)[],
  { counted }: { counted: boolean },
) {
  const statuses = new Map<number, string[]>();
  for (const code of codes) {
    const status = kinds[code]?.status ?? 500;
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, names]) => {
      const description = names.map((name) => `\`${name}\``).join(', ');
      const headers = {
        ...HEADERS_BY_STATUS[status],
        ...(counted && !UNCOUNTED_STATUSES.includes(status) ? RATE_LIMIT_HEADERS : {}),
      };
      const schema = { $ref: '#/components/schemas/Problem' };
      const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
      return [status, { description, headers, content: { 'application/problem+json': { schema, examples } } }];
    }),
  );
}
