import type { LightMyRequestResponse } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../apps/api/problems.ts';
import { problemSchema } from '../../packages/platform/http/schema.ts';

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

/** Expects a successful response whose body matches `schema`, and returns the body. */
export function contentOf<Schema extends TSchema>(answer: Answer, schema: Schema, status = 200): Static<Schema> {
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  return checked(answer.body, schema);
}

/** Returns a function that expects a response with one of these problems. The function returns the response's body. */
export function problemsOf<Code extends string>(problems: Parameters<typeof problemSchema>[0]) {
  const schema = problemSchema(problems);
  return (answer: Answer, status: number, code: Code): Static<typeof schema> => {
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = checked(answer.body, schema);
    expect(problem).toMatchObject({ status, code, type: `/docs/errors/${code}` });
    expect(answer.headers['x-request-id']).toBe(problem.request_id);
    return problem;
  };
}

/** Expects an error response whose body is a problem with this status and code, and returns the body. */
export const problemOf = problemsOf<ProblemCode>(PROBLEMS);

/** Expects the problem `invalid_parameter` and returns its messages about one parameter. */
export function faultsOf(answer: Answer, parameter: string): string[] {
  const { errors = [] } = problemOf(answer, 400, 'invalid_parameter');
  return errors.filter((error) => error.parameter === parameter).map(({ message }) => message);
}
