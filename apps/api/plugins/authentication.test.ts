import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@milepost/domain/api-key';
import { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { createKeyLookup } from './authentication.ts';

it('createKeyLookup measures the age of a result from the start of its query, because a slow query returns old data', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Pool();
  const askedAt: number[] = [];
  vi.spyOn(pool, 'query').mockImplementation(async () => {
    askedAt.push(now);
    now += 1_000;
    return { rows: [{ fleetId: 'acme', lane: 2 }] };
  });
  const findFleet = createKeyLookup(pool);
  const key = generateApiKey();
  for (const time of [0, 2_990, 3_010]) {
    now = time;
    expect(await findFleet(key)).toEqual({ fleetId: 'acme', lane: 2 });
    // The cache reads the clock at most once per millisecond.
    await delay(5);
  }
  expect(askedAt).toEqual([0, 3_010]);
});
