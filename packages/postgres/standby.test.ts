import { Client, type Pool } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { laneAt, type Part } from './parts.ts';
import { createPool } from './pool.ts';
import { Standby } from './standby.ts';

const PRIMARY_URL = 'postgres://api@primary/milepost';
const STANDBY_URL = 'postgres://api@standby/milepost';
const SCHEMA = 'milepost_lane_1';
const CHECK_MILLISECONDS = 250;
const MAX_DELAY_MILLISECONDS = 1_000;

/** A pool that nothing uses to connect, because no server has its address. */
function poolOn(part: Part): Pool {
  return createPool({ part, applicationName: 'milepost-test', connections: 1, statementTimeoutMilliseconds: 0 });
}

/**
 * A standby that has replayed its log up to a position, while the log of its primary always ends at another one. The
 * clock stands still until the test advances it.
 *
 * @param written the end of the log of the primary, as PostgreSQL's driver returns it
 */
function openStandby(written: unknown, replayed: number): Standby {
  vi.useFakeTimers();
  const answer = (row: object) => async () => ({ rows: [row] });
  const standby = new Standby({
    primary: Object.assign(poolOn(laneAt(PRIMARY_URL)), { query: answer({ system: '1', written }) }),
    url: STANDBY_URL,
    open(lane) {
      const query = answer({ system: '1', is_standby: true, replayed });
      const connection = Object.assign(new Client(), { query, release() {} });
      return Object.assign(poolOn(lane), { connect: async () => connection });
    },
    probe: async () => {},
    onChange() {},
    maxDelayMilliseconds: MAX_DELAY_MILLISECONDS,
  });
  onTestFinished(async () => {
    await standby.end();
    vi.useRealTimers();
  });
  return standby;
}

it('a standby answers only for the lanes on the server of its primary', async () => {
  const standby = openStandby(1, 1);
  await vi.advanceTimersByTimeAsync(4 * CHECK_MILLISECONDS);
  const host = {
    usable: async () => ({ host: 'node', port: 5_432 }),
    forget() {},
    async look() {},
    isCurrent: () => true,
  };
  const onPrimary = laneAt(PRIMARY_URL, SCHEMA);
  const onNode = { ...onPrimary, host };
  const onOther = laneAt('postgres://api@other/milepost', SCHEMA);
  const answers = [onPrimary, onNode, onOther].map(async (lane) => {
    const pool = poolOn(lane);
    const answer = await standby.read(pool, async () => 'an answer');
    return [standby.has(pool), answer?.result];
  });
  expect(await Promise.all(answers)).toEqual([
    [true, 'an answer'],
    [false, undefined],
    [false, undefined],
  ]);
});

it('a check of a standby compares no positions of the primary that are older than the maximum delay', async () => {
  let compared = 0;
  const written = {
    valueOf() {
      compared += 1;
      return 2;
    },
  };
  // No position has been replayed, so a check compares all of them.
  openStandby(written, 1);
  await vi.advanceTimersByTimeAsync(60_000);
  compared = 0;
  await vi.advanceTimersByTimeAsync(CHECK_MILLISECONDS);
  expect(compared).toBeGreaterThan(0);
  expect(compared).toBeLessThanOrEqual(MAX_DELAY_MILLISECONDS / CHECK_MILLISECONDS + 1);
});
