import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';
import { unknownParameter } from './unknown.ts';

/** A request may name as many as it likes; an answer names no more than these. */
const MOST_NAMED = 10;

/**
 * Refuses parameters in the query string that the schema of their route does not have: a mistyped filter would list
 * everything. Of the routes declared afterwards; whoever probes or scrapes may add what it likes.
 */
export function refuseUnknownQuery(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ url, routeOptions }) => {
    const schema = routeOptions.schema?.querystring;
    const known = Type.IsObject(schema) ? Object.keys(schema.properties) : [];
    const start = url.indexOf('?');
    const given = new Set(start === -1 ? [] : new URLSearchParams(url.slice(start)).keys());
    given.delete('');
    const unknown = [...given].filter((name) => !known.includes(name)).slice(0, MOST_NAMED);
    if (unknown.length === 0) return;
    const errors = unknown.map((name) => unknownParameter(name, known));
    throw new Problem('invalid_parameter', `Not known in the query string: ${unknown.join(', ')}.`, { errors });
  });
}
