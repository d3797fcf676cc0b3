import type { LightMyRequestResponse } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../apps/api/problems.ts';
import { problemSchema } from '../../packages/platform/http/schema.ts';

const ProblemDetails = problemSchema(PROBLEMS);

/** The parts of a response that the checks below read. The response comes from `inject` or from a real request. */
export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>;

function checked<Schema extends TSchema>(body: string, schema: Schema): Static<Schema> {
  const validator = Compile(schema);
  const value: unknown = JSON.parse(body);
  if (!validator.Check(value)) {
    throw new Error(`The body does not match its declared schema: ${JSON.stringify(validator.Errors(value))}\n${body}`);
  }
  return value;
}

/** The body of a successful response, which must match `schema`. */
export function contentOf<Schema extends TSchema>(answer: Answer, schema: Schema): Static<Schema> {
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  return checked(answer.body, schema);
}

/** The body of an error response, which must be a problem with this status and code. */
export function problemOf(answer: Answer, status: number, code: ProblemCode): Static<typeof ProblemDetails> {
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem = checked(answer.body, ProblemDetails);
  expect(problem).toMatchObject({ status, code, type: `/docs/errors/${code}` });
  expect(answer.headers['x-request-id']).toBe(problem.request_id);
  return problem;
}

/** The messages about one parameter in a response that must be `invalid_parameter`. */
export function faultsOf(answer: Answer, parameter: string): string[] {
  const { errors = [] } = problemOf(answer, 400, 'invalid_parameter');
  return errors.filter((error) => error.parameter === parameter).map(({ message }) => message);
}
