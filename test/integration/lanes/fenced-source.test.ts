import { Writable } from 'node:stream';
import { claimSource, FleetFencedError, type SourceBatch, SourceFencedError } from '@milepost/event-log';
import { ROLES } from '@milepost/postgres';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Source, type SourceLanes } from '../../../apps/ingest/kafka/source.ts';
import { NewLaneError } from '../../../apps/ingest/lanes.ts';
import { copyEvents } from '../../../packages/operator/fleet-move/copy.ts';
import { LaneWorld, TOPIC } from '../../support/lane-world.ts';
import { incoming, openPartPool } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';

const WAIT = { timeout: 20_000, interval: 10 };

const LANES = new Map([
  ['first', 0],
  ['second', 1],
]);

const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' });

async function openWorld() {
  const world = await LaneWorld.create(2, 1);
  const pools = new Map(world.lanes.map((lane) => [lane.number, openPartPool(lane, ROLES.ingest)]));
  onTestFinished(async () => {
    await Promise.all(pools.values().map((pool) => pool.end()));
    await world.close();
  });
  return { world, pools };
}

/** Returns the lanes of a source that knows the fleets in `fleets`. */
const lanesWith = (
  pools: SourceLanes['pools'],
  appenders: SourceLanes['appenders'],
  fleets: ReadonlyMap<string, number> = LANES,
): SourceLanes => ({
  pools,
  fleets: { find: async () => fleets, forget: () => {} },
  appenders,
  turns: new Map(),
  areCurrent: async () => true,
});

async function openClaimed(lanes: SourceLanes): Promise<Source> {
  const { signal } = new AbortController();
  const options = { logger: pino({ level: 'silent' }), signal, onReturn: () => {} };
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, options);
  await source.claim();
  return source;
}

// Otherwise, the second lane's offset would pass its own record, which no lane has stored.
it('no heartbeat moves an offset after one lane is fenced and another one fails in the same append', async () => {
  const { pools } = await openWorld();
  const fenced = vi.fn(async () => await Promise.reject(new SourceFencedError('Another process has claimed it.')));
  const failing = vi.fn(async () => await Promise.reject(lost));
  const appenders = new Map([
    [0, { append: fenced }],
    [1, { append: failing }],
  ]);
  const lanes = lanesWith(pools, appenders);
  const source = await openClaimed(lanes);
  const records = [...LANES.keys()].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
  await expect(source.append(records, 2, null)).rejects.toThrow(SourceFencedError);
  await source.flush();
  expect(fenced).toHaveBeenCalledTimes(1);
  expect(failing).toHaveBeenCalledTimes(1);
  await expect(source.append(records, 2, null)).rejects.toThrow(SourceFencedError);
});

// Otherwise, all known lanes would pass the new lane's record, which no lane has stored.
it('no lane stores a batch or moves its offset when a record belongs to a lane that was just added', async () => {
  const { world, pools } = await openWorld();
  const appenders = new Map([...pools].map(([lane, pool]) => [lane, new JointAppender(pool)]));
  const lanes = lanesWith(pools, appenders, new Map([...LANES, ['third', 2]]));
  const source = await openClaimed(lanes);
  const records = ['first', 'third', 'second'].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
  await expect(source.append(records, 3, null)).rejects.toThrow(NewLaneError);
  await source.flush();
  expect([await world.offset(0, 0), await world.offset(1, 0)]).toEqual([0, 0]);
  await source.append(records.slice(0, 1), 1, null);
  expect(await world.offset(0, 0)).toBe(1);
});

// Each attempt reads the partition again from the lane's offset. If the delay did not grow, the other lanes would never
// get past the records that can be read in the meantime.
it('waits longer each time a fence refuses the records of a lane', async () => {
  const { world, pools } = await openWorld();
  await world.owner(1).query("INSERT INTO fleet_fence VALUES ('second', false, false, 1)");
  await world.owner(1).query('UPDATE log_head SET has_fences = true');
  const appenders = new Map([...pools].map(([lane, pool]) => [lane, new JointAppender(pool)]));
  const lanes = lanesWith(pools, appenders);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  let returned = Promise.withResolvers<void>();
  const options = { logger: pino({ level: 'silent' }), signal: ended.signal, onReturn: () => returned.resolve() };
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, options);
  const records = [...LANES.keys()].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
  let waited = 0;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    returned = Promise.withResolvers<void>();
    await source.claim();
    await source.append(records, 2, null);
    const refusedAt = performance.now();
    await returned.promise;
    waited = performance.now() - refusedAt;
  }
  expect(waited).toBeGreaterThan(1_500);
  const later = incoming(2, driverProfile({ fleet_id: 'first', driver_id: 'later' }));
  await source.claim();
  await source.append([...records, later], 3, null);
  // The first lane has counted each of its records once, although the partition was read four times.
  const { rows } = await world
    .owner(0)
    .query('SELECT records_read - records_elsewhere AS own, records_duplicate AS duplicates FROM log_source');
  expect(rows).toEqual([{ own: 2, duplicates: 0 }]);
  expect(await world.offset(0, 0)).toBe(3);
  expect(await world.offset(1, 0)).toBe(0);
});

/** Acts as an appender that stores a batch. */
const stores = async ({ claim, nextOffset, records }: SourceBatch) => ({
  claim: { ...claim, nextOffset },
  counts: { read: records.length, stored: records.length, duplicates: 0, dead_letters: 0 },
});

/**
 * Returns a source whose second lane stores batches with `append`. `delays` lists the delays that are logged for the
 * lane's failures.
 */
async function openLogged(append: JointAppender['append']) {
  const { pools } = await openWorld();
  const lanes = lanesWith(
    pools,
    new Map([
      [0, { append: stores }],
      [1, { append }],
    ]),
  );
  const delays: number[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      const { delay_milliseconds } = JSON.parse(String(line));
      if (delay_milliseconds !== undefined) delays.push(delay_milliseconds);
      done();
    },
  });
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const options = { logger: pino(stream), signal: ended.signal, onReturn: () => {} };
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, options);
  const records = ['first', 'second'].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
  const readAgain = async () => {
    await source.claim();
    await source.append(records, 2, null);
  };
  return { delays, readAgain };
}

// Each time the lane returns, the partition is read again, so a lane that keeps failing waits longer. But one failure a
// day must not add up to a wait of two minutes.
it('waits longer after each failure of a lane, and begins with the first delay again once the lane has stored a batch', async () => {
  const fails = vi.fn(stores).mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
  const { delays, readAgain } = await openLogged(fails);
  for (let round = 0; round < 3; round += 1) await readAgain();
  expect(delays).toEqual([2_000, 4_000]);
  fails.mockRejectedValueOnce(lost);
  await readAgain();
  expect(delays).toEqual([2_000, 4_000, 2_000]);
});

// docs/lanes.md promises this limit to operators who complete a killed move.
it('waits for at most two minutes, however often a lane has failed', async () => {
  const { delays, readAgain } = await openLogged(vi.fn(stores).mockRejectedValue(lost));
  for (let failure = 0; failure < 9; failure += 1) await readAgain();
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000]);
});

it('checks a lane again that could not continue at the first check', async () => {
  const { world, pools } = await openWorld();
  const second = pools.get(1);
  if (second === undefined) throw new Error('Lane 1 has no pool.');
  const lanes = {
    pools,
    fleets: { find: async () => LANES, forget: () => {} },
    appenders: new Map<number, Pick<JointAppender, 'append'>>([
      [0, new JointAppender(pools.get(0) ?? second)],
      [1, { append: async () => await Promise.reject(new FleetFencedError(['second'])) }],
    ]),
    turns: new Map<string, Promise<unknown>>(),
    areCurrent: async () => true,
  };
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const onReturn = vi.fn();
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, {
    logger: pino({ level: 'silent' }),
    signal: ended.signal,
    onReturn,
  });
  await source.claim();
  await world.owner(1).query("UPDATE log_source SET stopped = true, fault = 'x', fault_at = now()");
  const queries = vi.spyOn(second, 'query');
  const records = [...LANES.keys()].map((fleet_id, offset) => incoming(offset, driverProfile({ fleet_id })));
  await source.append(records, 2, null);
  const checks = () => queries.mock.calls.filter((values) => JSON.stringify(values).includes('list-stopped')).length;
  await expect.poll(checks, WAIT).toBe(1);
  expect(onReturn).not.toHaveBeenCalled();
  await world.owner(1).query('UPDATE log_source SET stopped = false, fault = NULL, fault_at = NULL');
  await expect.poll(() => onReturn.mock.calls.length, WAIT).toBeGreaterThan(0);
});

// Otherwise, Node would end the process that moves the fleet, and the fences would keep holding back its records.
it('a source handles the failure of a read ahead that a copy does not need', async () => {
  const { world, pools } = await openWorld();
  const [from, to] = [openPartPool(world.lane(0), ROLES.projector), pools.get(1)];
  onTestFinished(async () => await from.end());
  if (to === undefined) throw new Error('Lane 1 has no pool.');
  const claim = await claimSource(to, 'move:0:fleet', 0);
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', onUnhandled);
  try {
    const query = from.query.bind(from);
    vi.spyOn(from, 'query').mockImplementation((...values: Parameters<typeof query>) => {
      if (JSON.stringify(values).includes('archive-read')) throw new Error('The connection is lost.');
      return query(...values);
    });
    const { signal } = new AbortController();
    await copyEvents({ fleetId: 'fleet', fromLane: 0, from, to, signal }, claim, async () => {});
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', onUnhandled);
    for (const other of others) process.on('unhandledRejection', other);
  }
  expect(unhandled).toEqual([]);
});
