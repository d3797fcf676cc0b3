import { createCompiler, type ParameterError, type Vocabulary } from '@milepost/validation';
import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { CommonProblem } from './common-problems.ts';

/** Returns the problem for a request with these errors. */
export function invalidParameters(errors: readonly ParameterError[]): CommonProblem {
  const names = [...new Set(errors.map(({ parameter }) => parameter))];
  return new CommonProblem('invalid_parameter', `Wrong or missing: ${names.join(', ')}.`, { errors });
}

/** Validates each part of a request against its route's schema, and reports all errors in the part together. */
export function checkRequests(app: FastifyInstance, vocabulary?: Vocabulary): void {
  const compile = createCompiler(vocabulary);
  app.setValidatorCompiler<TObject>(({ schema, httpPart }) => {
    const check = compile(schema, httpPart === 'querystring' ? 'query' : 'json');
    return (input) => {
      const errors = check(input);
      return errors.length === 0 || { error: invalidParameters(errors) };
    };
  });
}
