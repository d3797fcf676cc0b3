import { appendTogether } from '@milepost/event-log/append';
import { FleetFencedError, SourceFencedError, setFence } from '@milepost/event-log/fences';
import { logChannelOf, readHeadPosition } from '@milepost/event-log/head';
import {
  claimFile,
  claimSource,
  clearSourceFault,
  endSource,
  markSourceFault,
  readSourceCounts,
  recordHeartbeats,
  type SourceClaim,
} from '@milepost/event-log/sources';
import { isTransientError, laneAt, ROLES } from '@milepost/postgres';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { untilTestEnds } from '../support/fixtures.ts';
import { whileLocked } from '../support/locks.ts';
import { append, deliver, incoming, incomingAll, openPartPool } from '../support/pipeline.ts';
import { describeWithLog } from '../support/pipeline-suites.ts';
import { tripProcessed } from '../support/records.ts';

/** Malformed records. The log keeps the bytes of each. */
const POISON: (Buffer | null)[] = [
  null,
  Buffer.alloc(0),
  Buffer.from('{"kind":'),
  Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
  Buffer.from('{"kind":"trip.\\u0000processed"}'),
  Buffer.from('{"kind":"two \\u0000\\u0000 and a half \\ud800"}'),
  Buffer.from('{"kind":"\0"}'),
  Buffer.from('[]'),
  Buffer.from(JSON.stringify({ ...tripProcessed(), distance_miles: 'NaN' })),
  Buffer.from(JSON.stringify({ ...tripProcessed(), driver_id: 'a\0b' })),
  Buffer.from(JSON.stringify({ ...tripProcessed(), driver_id: '\ud800' })),
  Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
];

describeWithLog('the event log', (log) => {
  /** Each test has its own fleet and therefore its own trips. */
  let fleet_id = '';
  beforeEach(() => {
    fleet_id = `fleet-${crypto.randomUUID()}`;
  });

  /** Runs `work` while the log is locked, until that many sessions wait for the lock. */
  const whileLogLocked = async <Result>(waiters: number, work: () => Promise<Result>) =>
    await whileLocked(log.owner, 'SELECT FROM log_head FOR UPDATE', waiters, work);
  const trip = (overrides: Parameters<typeof tripProcessed>[0] = {}) => tripProcessed({ fleet_id, ...overrides });

  async function storedEvents() {
    const sql = `SELECT position, revision, effective, supersedes, distance_miles FROM stored_event
       WHERE fleet_id = $1 ORDER BY position`;
    return (await log.owner.query(sql, [fleet_id])).rows;
  }

  const sourceOf = async ({ sourceId }: SourceClaim) =>
    (await log.owner.query('SELECT * FROM log_source WHERE source_id = $1', [sourceId])).rows[0];

  async function deadLetters(sourceId: number) {
    const sql = 'SELECT source_offset, reason, field, raw FROM dead_letter WHERE source_id = $1 ORDER BY source_offset';
    return (await log.owner.query(sql, [sourceId])).rows;
  }

  it('assigns positions without gaps when eight sources append at the same time', async () => {
    const before = await readHeadPosition(log.ingest);
    const sources = [0, 1, 2, 3, 4, 5, 6, 7];
    const claims = await Promise.all(sources.map((partition) => claimSource(log.ingest, 'dense', partition)));
    const appendThree = async (claim: SourceClaim) => {
      const trips = [0, 1, 2].map((number) => trip({ source_trip_id: `${claim.partition}-${number}` }));
      return await append(log.ingest, claim, incomingAll(trips), 3);
    };
    const appended = await whileLogLocked(sources.length, async () => await Promise.all(claims.map(appendThree)));
    const positions = (await storedEvents()).map((event) => event.position);
    expect(positions).toEqual(Array.from({ length: 24 }, (_, index) => before + index + 1));
    expect(appended.map(({ headPosition }) => headPosition).toSorted((left, right) => left - right)).toEqual(
      sources.map((source) => before + 3 * (source + 1)),
    );
    expect(await readHeadPosition(log.ingest)).toBe(before + 24);
  });

  it('stores a batch once when two processes append it concurrently with the same claim', async () => {
    const claim = await claimSource(log.ingest, 'twice', 0);
    const outcomes = await whileLogLocked(2, async () =>
      Promise.allSettled([1, 2].map(() => append(log.ingest, claim, incomingAll([trip(), '{']), 2))),
    );
    expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.any(SourceFencedError) });
    expect((await claimSource(log.ingest, 'twice', 0)).nextOffset).toBe(2);
    expect(await storedEvents()).toHaveLength(1);
    expect(await deadLetters(claim.sourceId)).toHaveLength(1);
    expect(await readSourceCounts(log.ingest, claim.sourceId)).toMatchObject({ read: 2 });
  });

  it('notifies listeners only after it has stored an event', async () => {
    const listener = await log.owner.connect();
    onTestFinished(() => listener.release());
    const heard: string[] = [];
    listener.on('notification', (notification) => heard.push(notification.channel));
    const channel = logChannelOf('milepost');
    await listener.query(`LISTEN ${channel}`);
    await deliver(log.ingest, [trip()], fleet_id);
    await deliver(log.ingest, ['not a record'], fleet_id);
    // PostgreSQL delivers earlier notifications before it responds to this statement.
    await listener.query(`UNLISTEN ${channel}`);
    expect(heard).toEqual([channel]);
  });

  it('claims each reading of a file as a separate source, numbered from 1', async () => {
    const claims = [await claimFile(log.ingest, 'records'), await claimFile(log.ingest, 'records')];
    claims.push(await claimFile(log.ingest, 'others'));
    expect(claims.map(({ topic, partition, epoch, nextOffset }) => [topic, partition, epoch, nextOffset])).toEqual([
      ['file:records', 1, 1, 0],
      ['file:records', 2, 1, 0],
      ['file:others', 1, 1, 0],
    ]);
  });

  it('keeps each dead letter byte for byte, with its offset and its reason', async () => {
    const { claim, counts } = await deliver(log.ingest, POISON, 'poison');
    expect(counts).toEqual({ read: POISON.length, stored: 0, duplicates: 0, dead_letters: POISON.length });
    const letters = await deadLetters(claim.sourceId);
    expect(letters.map((letter) => letter.raw?.toString('hex') ?? null)).toEqual(
      POISON.map((raw) => raw?.toString('hex') ?? null),
    );
    expect(letters.map((letter) => letter.source_offset)).toEqual(POISON.map((_, index) => index));
    expect(letters.every((letter) => letter.reason !== '')).toBe(true);
  });

  it('forms one chain per trip when two processes store its revisions from two partitions concurrently', async () => {
    const claims = await Promise.all([0, 1].map((partition) => claimSource(log.ingest, 'chain', partition)));
    for (let round = 0; round < 10; round += 1) {
      await whileLogLocked(2, async () => {
        await Promise.all(
          claims.map(async (claim, side) => {
            // Each batch contains a revision that is missing from the other batch, and a revision that is in both
            // batches with different content.
            const own = trip({ revision: 3 * round + 1 + side });
            const common = trip({ revision: 3 * round + 3, distance_miles: side + 1 });
            const batch = incomingAll([own, common], claim.nextOffset);
            claims[side] = (await append(log.ingest, claim, batch, claim.nextOffset + 2)).claim;
          }),
        );
      });
    }
    const events = await storedEvents();
    expect(events).toHaveLength(30);
    const effective = events.filter((event) => event.effective);
    expect(effective.map((event) => event.supersedes)).toEqual([
      null,
      ...effective.slice(0, -1).map((event) => event.position),
    ]);
    const revisions = effective.map((event) => event.revision);
    expect(revisions).toEqual(revisions.toSorted((left, right) => left - right));
    expect(revisions.at(-1)).toBe(30);
    const counts = await Promise.all(claims.map((claim) => readSourceCounts(log.ingest, claim.sourceId)));
    expect(counts.map((count) => count.dead_letters).reduce((sum, count) => sum + count)).toBe(10);
  });

  it('does not advance the offset while it cannot store a dead letter, and then stores each record once', async () => {
    const topic = 'unwritable';
    const records = [trip(), '{', trip({ source_trip_id: 'second' })];
    await log.owner.query('ALTER TABLE dead_letter ADD CONSTRAINT planted CHECK (false) NOT VALID');
    await expect(deliver(log.ingest, records, topic)).rejects.toThrow('planted');
    expect(await storedEvents()).toEqual([]);
    const claim = await claimSource(log.ingest, topic, 0);
    expect(claim.nextOffset).toBe(0);
    await log.owner.query('ALTER TABLE dead_letter DROP CONSTRAINT planted');
    const { counts } = await deliver(log.ingest, records, topic);
    expect(counts).toEqual({ read: 3, stored: 2, duplicates: 0, dead_letters: 1 });
    expect(await deadLetters(claim.sourceId)).toMatchObject([{ source_offset: 1, reason: 'invalid_json' }]);
  });

  it('keeps a source stopped, with the cause and time, whatever other faults are recorded later', async () => {
    const claim = await claimSource(log.ingest, 'stopped', 0);
    await markSourceFault(log.ingest, claim, 'it cannot be unpacked', false);
    expect(await sourceOf(claim)).toMatchObject({ stopped: false, fault: 'it cannot be unpacked' });
    await markSourceFault(log.ingest, claim, 'it was created again', true);
    const stopped = await sourceOf(claim);
    expect(stopped).toMatchObject({ stopped: true, fault: 'it was created again' });
    await markSourceFault(log.ingest, claim, 'it cannot be unpacked', false);
    expect(await sourceOf(claim)).toEqual(stopped);
    await markSourceFault(log.ingest, claim, 'it is shorter', true);
    expect(await sourceOf(claim)).toEqual({ ...stopped, fault: 'it is shorter' });
  });

  it('does not clear a fault, end a source or send a heartbeat for a process that has lost its claim', async () => {
    const old = await claimSource(log.ingest, 'replaced', 0);
    const claim = await claimSource(log.ingest, 'replaced', 0);
    await markSourceFault(log.ingest, claim, 'it was created again', true);
    const before = await sourceOf(claim);
    await clearSourceFault(log.ingest, old);
    await markSourceFault(log.ingest, old, 'it is shorter', true);
    await endSource(log.ingest, old);
    await recordHeartbeats(log.ingest, [old]);
    expect(await sourceOf(claim)).toEqual(before);
    await clearSourceFault(log.ingest, claim);
    await endSource(log.ingest, claim);
    await recordHeartbeats(log.ingest, [claim]);
    expect(await sourceOf(claim)).toMatchObject({ fault: null, stopped: false, ended_at: expect.anything() });
    expect((await sourceOf(claim)).held_at).not.toEqual(before.held_at);
  });

  it('obeys the fences for every batch, and exempts only transactions that contain nothing but copies', async () => {
    const first = await claimSource(log.ingest, 'fenced-batches', 0);
    const second = await claimSource(log.ingest, 'fenced-batches', 1);
    await setFence(log.ingest, { fleetId: fleet_id, stores: false, passes: false, epoch: 1 });
    const other = { claim: first, records: [], nextOffset: 1, elsewhere: 1, fleetsElsewhere: new Set(['passed']) };
    const passing = { claim: second, records: [], nextOffset: 1, elsewhere: 1, fleetsElsewhere: new Set([fleet_id]) };
    for (const batches of [
      [other, passing],
      [passing, other],
    ])
      await expect(appendTogether(log.ingest, batches)).rejects.toThrow(FleetFencedError);
    const copied = { claim: first, records: [incoming(0, trip())], nextOffset: 1, isCopy: true };
    const read = { claim: second, records: [incoming(0, trip({ source_trip_id: 'read' }))], nextOffset: 1 };
    await expect(appendTogether(log.ingest, [copied, read])).rejects.toThrow(FleetFencedError);
    // A record that breaks a rule still belongs to its fleet.
    const broken = { ...read, records: [incoming(0, { ...trip(), distance_miles: -1 })] };
    await expect(appendTogether(log.ingest, [broken])).rejects.toThrow(FleetFencedError);
    await appendTogether(log.ingest, [copied]);
    expect(await storedEvents()).toHaveLength(1);
    expect(await deadLetters(second.sourceId)).toEqual([]);
  });

  it('stores none of two batches that belong to one source', async () => {
    const claim = await claimSource(log.ingest, 'together-twice', 0);
    const batch = { claim, records: [incoming(0, trip())], nextOffset: 1 };
    const empty = { claim, records: [], nextOffset: 1 };
    for (const batches of [
      [batch, empty],
      [empty, empty],
    ])
      await expect(appendTogether(log.ingest, batches)).rejects.toThrow();
    expect(await storedEvents()).toEqual([]);
  });

  it('keeps the last record that an append names when a later append names none', async () => {
    const first = await claimSource(log.ingest, 'known', 0);
    const last = { offset: 4, timestamp: 17, hash: Buffer.alloc(32, 1) };
    const unknown = await append(log.ingest, first, [], 5);
    expect(unknown.claim.last).toBeNull();
    const known = await append(log.ingest, unknown.claim, [], 6, { known: last });
    expect(known.claim.last).toEqual(last);
    const silent = await append(log.ingest, known.claim, [], 7);
    expect(silent.claim.last).toEqual(last);
    expect((await append(log.ingest, silent.claim, [], 8, { known: null })).claim.last).toEqual(last);
    expect(await claimSource(log.ingest, 'known', 0)).toMatchObject({ nextOffset: 8, last });
  });

  it('keeps long dead letters with the same offset in several sources byte for byte', async () => {
    const claims: SourceClaim[] = [];
    for (const partition of [0, 1, 2]) claims.push(await claimSource(log.ingest, 'long-letters', partition));
    const raws = claims.map((_claim, index) => Buffer.alloc(300_000 + index, 97 + index));
    await appendTogether(
      log.ingest,
      claims.map((claim, index) => ({ claim, records: [incoming(0, raws[index] ?? '')], nextOffset: 1 })),
    );
    const { rows } = await log.owner.query<{ whole: Buffer; rest_bytes: number }>(
      `SELECT rest_bytes, raw || (SELECT string_agg(bytes, NULL ORDER BY chunk) FROM dead_letter_chunk chunk
         WHERE chunk.dead_letter_id = letter.dead_letter_id) AS whole
       FROM dead_letter letter WHERE source_id = ANY ($1) ORDER BY source_id`,
      [claims.map(({ sourceId }) => sourceId)],
    );
    expect(rows.map(({ whole, rest_bytes }, index) => [raws[index]?.equals(whole), rest_bytes])).toEqual(
      raws.map((raw) => [true, raw.length - 256 * 1024]),
    );
  });

  it('reports a transient error when the pool has no free connection, and stores the records later', async () => {
    const limits = { acquireTimeoutMilliseconds: 1_000 };
    const pool = untilTestEnds(openPartPool(laneAt(log.url), ROLES.ingest, 1, limits));
    const taken = await pool.connect();
    const refused = await deliver(pool, [trip()], 'exhausted').catch((error: unknown) => error);
    taken.release();
    expect(isTransientError(refused)).toBe(true);
    expect((await deliver(pool, [trip()], 'exhausted')).counts).toMatchObject({ read: 1, stored: 1 });
  });
});
