import type { ParameterError } from '@milepost/http';
import type { FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { Problem } from '../problems/problem.ts';
import { unknownParameter } from './unknown.ts';

/** All that is wrong with a body, by its parameters. A property's description says what would be right. */
export async function bodyErrors(schema: TObject, body: unknown): Promise<ParameterError[]> {
  // Loaded at the first body: it takes time and memory that looking and scraping do not need.
  const { Compile } = await import('typebox/compile');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ parameter: 'body', message: 'Must be a JSON object.' }];
  }
  const known = Object.entries(schema.properties).flatMap(([parameter, property]) => {
    const value: unknown = Object.hasOwn(body, parameter) ? Reflect.get(body, parameter) : undefined;
    const description = 'description' in property ? property.description : 'as the reference says.';
    if (value === undefined) {
      return schema.required?.includes(parameter) ? [{ parameter, message: `Required: ${description}` }] : [];
    }
    return Compile(property).Check(value) ? [] : [{ parameter, message: `Must be ${description}` }];
  });
  const unknown = Object.keys(body)
    .filter((parameter) => !Object.hasOwn(schema.properties, parameter))
    .map((parameter) => unknownParameter(parameter, Object.keys(schema.properties)));
  return [...known, ...unknown];
}

/** Checks bodies against the schemas of their routes. Query strings are read by the routes themselves, strictly. */
export function validateBodies(app: FastifyInstance): void {
  app.setValidatorCompiler(() => () => true);
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body;
    if (!Type.IsObject(schema)) return;
    // Nothing said where nothing must be said: all defaults.
    if (request.body === undefined && !schema.required?.some(Boolean)) request.body = {};
    const errors = await bodyErrors(schema, request.body);
    if (errors.length === 0) return;
    const names = [...new Set(errors.map(({ parameter }) => parameter))];
    throw new Problem('invalid_parameter', `Wrong or missing: ${names.join(', ')}.`, { errors });
  });
}
