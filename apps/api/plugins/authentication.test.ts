import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@milepost/domain/api-key';
import { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { createKeyLookup } from './authentication.ts';

it('createKeyLookup measures the age of a result from the start of its query, even after a lookup that took longer than its result stays valid', async () => {
  let now = 0;
  let queryMilliseconds = 1_000;
  let rows = [{ fleetId: 'acme', lane: 2 }];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Pool();
  const askedAt: number[] = [];
  vi.spyOn(pool, 'query').mockImplementation(async () => {
    askedAt.push(now);
    now += queryMilliseconds;
    return { rows };
  });
  const findFleet = createKeyLookup(pool);
  const key = generateApiKey();
  const ask = async (time: number) => {
    now = time;
    expect(await findFleet(key)).toEqual({ fleetId: 'acme', lane: 2 });
    // The cache reads the clock at most once per millisecond.
    await delay(5);
  };
  for (const time of [0, 2_990, 3_010]) await ask(time);
  expect(askedAt).toEqual([0, 3_010]);
  // A slow query returns old data: the key may have been revoked since the query began.
  queryMilliseconds = 10_000;
  await ask(20_000);
  rows = [];
  now = 30_010;
  expect(await findFleet(key)).toBeNull();
  expect(askedAt).toEqual([0, 3_010, 20_000, 30_010]);
});
