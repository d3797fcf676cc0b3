import Type, { type TSchema } from 'typebox';
import { type ProblemKinds, problemDetails, problemPath, titleOf } from './problem.ts';

const REQUEST_ID = '03bf579e-482e-44d8-8928-4c2f8a953fe6';
const START_DATE_ERROR = {
  parameter: 'start_date',
  message: 'Must be a date written YYYY-MM-DD, such as 2026-01-31.',
};

const ParameterError = Type.Object(
  {
    parameter: Type.String({ description: 'Its name.', examples: [START_DATE_ERROR.parameter] }),
    message: Type.String({ description: 'What would be right.', examples: [START_DATE_ERROR.message] }),
  },
  { $id: 'ParameterError', description: 'What is wrong with one parameter.' },
);

/** The shape of every error answer (RFC 9457) of a server. */
export function problemSchema(kinds: ProblemKinds) {
  const meanings = Object.entries(kinds).map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`);
  return Type.Object(
    {
      type: Type.String({
        format: 'uri-reference',
        description: 'The page about the code, on this server.',
        examples: [problemPath('invalid_parameter')],
      }),
      title: Type.String({ description: 'The code in words.', examples: ['Invalid parameter'] }),
      status: Type.Integer({ description: 'The status of the answer.', examples: [400] }),
      detail: Type.String({
        description: 'What is wrong with this request.',
        examples: ['Wrong or missing: start_date.'],
      }),
      code: Type.Enum(Object.keys(kinds), { description: meanings.join('\n'), examples: ['invalid_parameter'] }),
      request_id: Type.String({
        description: 'Names this request in the logs of the service.',
        examples: [REQUEST_ID],
      }),
      errors: Type.Optional(Type.Array(ParameterError, { description: 'All wrong parameters at once.' })),
    },
    { $id: 'Problem', description: 'An error (RFC 9457).' },
  );
}

/** An answer with each code, by code, for the components of an OpenAPI document. */
export function problemExamples(kinds: ProblemKinds): Record<string, { summary: string; value: object }> {
  const examples = Object.entries(kinds).map(([code, kind]) => {
    const errors = code === 'invalid_parameter' ? [START_DATE_ERROR] : [];
    const title = titleOf(code, kind);
    const details = { code, title, status: kind.status, message: kind.example, errors };
    return [code, { summary: title, value: problemDetails(details, REQUEST_ID) }];
  });
  return Object.fromEntries(examples);
}

/** The headers of an answer, by name. */
export type Headers = Readonly<Record<string, TSchema>>;

/** What is sent once the requests of a caller are counted. */
export const RATE_LIMIT_HEADERS: Headers = {
  'RateLimit-Limit': Type.Integer({ description: 'Requests that this minute has for you.', examples: [5000] }),
  'RateLimit-Remaining': Type.Integer({ description: 'Requests that are left of them.', examples: [4999] }),
  'RateLimit-Reset': Type.Integer({ description: 'Seconds until the next minute begins.', examples: [42] }),
};

/** The `response` entry of an answer with this JSON. */
export function jsonResponse(schema: TSchema & { description?: string }, headers: Headers = {}) {
  const description = schema.description ?? 'The answer.';
  return { description, headers, content: { 'application/json': { schema } } };
}

const RETRY_AFTER = {
  'Retry-After': Type.Integer({ description: 'Seconds to wait before the next try.', examples: [2] }),
};
const HEADERS_BY_STATUS: Readonly<Record<number, Headers>> = {
  401: {
    'WWW-Authenticate': Type.String({ description: 'The scheme that Authorization must have.', examples: ['APIKEY'] }),
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
const REQUEST_ID_HEADER = {
  'X-Request-Id': Type.String({ description: 'The `request_id` of the body.', examples: [REQUEST_ID] }),
};

/** Refused before anybody has counted the request. */
const UNCOUNTED_STATUSES: readonly number[] = [401, 408, 417, 431];

/**
 * The `response` entries, one per status, of an endpoint that may answer with the given codes.
 *
 * @param counted whether its requests are limited by the minute
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
        ...REQUEST_ID_HEADER,
        ...HEADERS_BY_STATUS[status],
        ...(counted && !UNCOUNTED_STATUSES.includes(status) ? RATE_LIMIT_HEADERS : {}),
      };
      const schema = { $ref: '#/components/schemas/Problem' };
      const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
      return [status, { description, headers, content: { 'application/problem+json': { schema, examples } } }];
    }),
  );
}
