import { Standby } from '@milepost/postgres';
import { Client, Pool } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { LaneReader } from './lane-reader.ts';

/** Never connects. */
const primary = new Pool();
const connection = Object.assign(new Client(), { release: () => {} });
let standby: Standby | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await standby?.end();
});

/** Returns a reader whose standby answers with this delay, or does not answer. */
function readerWith(delaySeconds: number | null): LaneReader {
  const url = 'postgres://standby/milepost';
  standby = new Standby({ primary, url, open: () => primary, probe: async () => {}, onChange: () => {} });
  vi.spyOn(standby, 'read').mockImplementation(async (_primary, select) =>
    delaySeconds === null ? null : { result: await select(connection), delaySeconds },
  );
  return new LaneReader(primary, standby);
}

const answer = async (lag_seconds: number) => ({ lag_seconds, items: 'x' });

it('the lag of an answer from a standby is the longer one of its own lag and the delay of the standby', async () => {
  const reader = readerWith(2.5);
  expect(await reader.read(async () => await answer(1))).toEqual({ lag_seconds: 2.5, items: 'x' });
  expect(await reader.read(async () => await answer(7))).toEqual({ lag_seconds: 7, items: 'x' });
  expect(await reader.read(async () => ({ unknown: ['driver-1'] }))).toEqual({ unknown: ['driver-1'] });
  expect(await reader.read(async () => null)).toBeNull();
});

it('the primary answers when the standby does not, and when there is none', async () => {
  for (const reader of [readerWith(null), new LaneReader(primary, undefined)]) {
    const asked: unknown[] = [];
    const found = await reader.read(async (lane) => {
      asked.push(lane);
      return await answer(1);
    });
    expect([asked[0] === primary, asked.length, found]).toEqual([true, 1, { lag_seconds: 1, items: 'x' }]);
  }
});
