import { Pool } from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionLimit, connectionUsage, LimitedPool, limitPerServer } from './connection-limit.ts';

it('connectionUsage counts a shared limit once, and the maximum of each other pool', () => {
  const [shared, other] = [new ConnectionLimit(8), new ConnectionLimit(3)];
  const limited = [shared, shared, other].map((limit) => new LimitedPool(limit, { max: 20 }));
  const pools = [...limited, new Pool({ max: 5 })];
  expect(connectionUsage(pools)).toEqual({ used: 0, idle: 0, waiting: 0, maximum: 8 + 3 + 5 });
  expect(connectionUsage([])).toEqual({ used: 0, idle: 0, waiting: 0, maximum: 0 });
});

it('connectionUsage counts the callers that wait at a limit once, however many pools share it', () => {
  const limit = new ConnectionLimit(1, 60_000);
  const pools = [new LimitedPool(limit, { max: 20 }), new LimitedPool(limit, { max: 20 })] as const;
  for (const pool of [...pools, pools[0]]) limit.take(pool, () => {});
  expect(connectionUsage(pools)).toEqual({ used: 0, idle: 0, waiting: 2, maximum: 1 });
  for (let caller = 0; caller < 3; caller += 1) limit.give();
  expect(connectionUsage(pools)).toMatchObject({ waiting: 0 });
});

it('limitPerServer returns the same limit for each pool of a server, and another for another server', () => {
  const limitOf = limitPerServer(4);
  const one = limitOf('postgres://one/a');
  expect(limitOf('postgres://one/a')).toBe(one);
  expect(limitOf('postgres://two/a')).not.toBe(one);
  expect(one.max).toBe(4);
});

it('ConnectionLimit serves callers in their order when a connection is given back, and no more than its maximum', () => {
  const limit = new ConnectionLimit(2, 60_000);
  const pool = new LimitedPool(limit, { max: 20 });
  const served: string[] = [];
  for (const name of ['first', 'second', 'third', 'fourth']) limit.take(pool, () => served.push(name));
  expect([served, limit.waitingCount]).toEqual([['first', 'second'], 2]);
  limit.give();
  expect([served, limit.waitingCount]).toEqual([['first', 'second', 'third'], 1]);
  limit.give();
  limit.give();
  limit.give();
  expect([served, limit.waitingCount]).toEqual([['first', 'second', 'third', 'fourth'], 0]);
});

it('ConnectionLimit gives up on a caller after its time, and does not serve it later', async () => {
  const limit = new ConnectionLimit(1, 20);
  const pool = new LimitedPool(limit, { max: 20 });
  const outcomes: string[] = [];
  limit.take(pool, () => outcomes.push('first'));
  await new Promise<void>((resolve) => {
    limit.take(pool, (error) => {
      outcomes.push(error?.message ?? 'second');
      resolve();
    });
  });
  expect([outcomes, limit.waitingCount]).toEqual([['first', 'timeout exceeded when trying to connect'], 0]);
  limit.give();
  limit.take(pool, () => outcomes.push('third'));
  expect(outcomes.at(-1)).toBe('third');
});

it('ConnectionLimit calls a caller back once, and keeps the later ones when the time of a served caller has passed', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limit = new ConnectionLimit(1, 5_000);
  const pool = new LimitedPool(limit, { max: 20 });
  const outcomes: string[] = [];
  const take = (name: string) => limit.take(pool, (error) => outcomes.push(`${name}: ${error?.message ?? 'served'}`));
  take('first');
  take('second');
  limit.give();
  vi.advanceTimersByTime(4_000);
  take('third');
  vi.advanceTimersByTime(4_000);
  expect([outcomes, limit.waitingCount]).toEqual([['first: served', 'second: served'], 1]);
  limit.give();
  expect(outcomes.at(-1)).toBe('third: served');
});
