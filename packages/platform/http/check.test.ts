import fastify from 'fastify';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { checkRequests, invalidParameters } from './check.ts';

it('the problem of wrong parameters names each of them once, and has all faults', () => {
  const errors = [
    { parameter: 'driver_id', message: 'Must be short.' },
    { parameter: 'driver_id', message: 'Must be a text.' },
    { parameter: 'page', message: 'Must be 1.' },
  ];
  expect(invalidParameters(errors)).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    message: 'Wrong or missing: driver_id, page.',
    errors,
  });
});

it('a query is converted to the types of its schema, but a body is not', async () => {
  const app = fastify();
  checkRequests(app);
  const schema = Type.Object({ limit: Type.Integer({ description: 'a number.' }) });
  app.get('/', { schema: { querystring: schema } }, async ({ query }) => query);
  app.post('/', { schema: { body: schema } }, async ({ body }) => body);
  expect((await app.inject('/?limit=5')).json()).toEqual({ limit: 5 });
  expect((await app.inject('/?limit=x')).statusCode).not.toBe(200);
  expect((await app.inject({ method: 'POST', url: '/', body: { limit: 5 } })).json()).toEqual({ limit: 5 });
  expect((await app.inject({ method: 'POST', url: '/', body: { limit: '5' } })).statusCode).not.toBe(200);
  await app.close();
});
