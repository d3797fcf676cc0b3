import fastify from 'fastify';
import { expect, it } from 'vitest';
import { pageOf, queryPage, sendPage } from './pages.ts';

it.each([
  [1, 5, 0, null],
  [1, 5, 4, null],
  [1, 5, 5, null],
  [1, 5, 6, 2],
  [2, 5, 10, null],
  [2, 5, 11, 3],
  [9, 5, 11, null],
])('page %i of %i records, of %i in all, has the next page %s', async (page, limit, count, next) => {
  const app = fastify();
  app.get('/', async (_request, reply) =>
    sendPage(reply, 'trips', { page, limit }, { count, items: '{"a":1}', position: 7, lag_seconds: 2.9 }),
  );
  const { headers, json } = await app.inject('/');
  expect(json()).toEqual({ count, current_page: page, next_page: next, limit, trips: [{ a: 1 }] });
  expect([headers['milepost-position'], headers['milepost-lag-seconds']]).toEqual(['7', '2']);
});

it('a request without parameters gets the first page of 50', () => {
  expect(pageOf({})).toEqual({ page: 1, limit: 50 });
  expect(pageOf({ page: 3, limit: 1 })).toEqual({ page: 3, limit: 1 });
});

it('a query never has an offset that is not exact', () => {
  expect(queryPage({ page: 3, limit: 100 })).toEqual({ page: 3, limit: 100 });
  const { page, limit } = queryPage({ page: Number.MAX_SAFE_INTEGER, limit: 100 });
  expect(Number.isSafeInteger(page * limit)).toBe(true);
});
