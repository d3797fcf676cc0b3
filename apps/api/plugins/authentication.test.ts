import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@milepost/domain/api-key';
import { Pool } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { createKeyLookup } from './authentication.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('counts an answer of the database from when it was asked: what a slow query saw is old already', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Pool();
  const askedAt: number[] = [];
  vi.spyOn(pool, 'query').mockImplementation(async () => {
    askedAt.push(now);
    now += 1_000;
    return { rows: [{ fleet_id: 'acme' }] };
  });
  const findFleet = createKeyLookup(pool);
  const key = generateApiKey();
  for (const time of [0, 2_990, 3_010]) {
    now = time;
    expect(await findFleet(key)).toBe('acme');
    // The cache looks at the clock once a millisecond.
    await delay(5);
  }
  expect(askedAt).toEqual([0, 3_010]);
});
