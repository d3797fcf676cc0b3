import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { exportArchive, verifyArchive } from '@milepost/archive';
import { writeNewFile } from '@milepost/archive/new-file';
import { MAX_RECORD_BYTES, parseRecord } from '@milepost/domain/records';
import type { TripEvent } from '@milepost/domain/vocabulary';
import { eraseDriver } from '@milepost/erasure';
import { append, claimSource, readHeadPosition } from '@milepost/event-log';
import { ingestFiles } from '@milepost/ingest/files';
import { ROLES } from '@milepost/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { prepareRecord } from '../../../packages/core/event-log/prepare.ts';
import { onlyLane } from '../../support/ingest-lanes.ts';
import { deliver, incoming, openPipeline, openPool, type Pipeline } from '../../support/pipeline.ts';
import { drawnSequence, textsOf } from '../../support/random-records.ts';
import { driverProfile, longestTrip, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** Different in each run. To repeat a failed run, set this to the seed that the failure printed. */
const SEED = Math.floor(Math.random() * 2 ** 31);
const SEQUENCES = 40;

const signal = new AbortController().signal;

/** Numbers at the limits of doubles and of the log's columns, for every field that accepts such numbers. */
const amount = fc.oneof(
  fc.constantFrom(0, -0, 5e-324, 1e-7, 0.1 + 0.2, 1 / 3, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 1e21, Number.MAX_VALUE),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);
const finite = fc.oneof(
  amount,
  amount.map((value) => -value),
);
const angle = fc.oneof(
  fc.constantFrom(0, -0, 1e-7, -1e-7, 89.99999999999999),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const count = fc.oneof(fc.constantFrom(0, -0, 2 ** 53 - 1), fc.nat());
const moment = fc.oneof(fc.constantFrom(0, -0), fc.maxSafeInteger());
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((value) => !value.includes('\0') && value.isWellFormed());
const place = {
  event_start_latitude: finite,
  event_start_longitude: finite,
  event_end_latitude: finite,
  event_end_longitude: finite,
};
const event = fc
  .record({
    type: fc.constantFrom(1, 2, 7, 9),
    event_start_timestamp: moment,
    event_end_timestamp: moment,
    ...place,
    data: fc.record({ user_speed_mph: finite, speed_limit_mph: finite, max_user_speed_mph: finite }),
  })
  .map(({ type, data, ...fields }) => ({ event_type: type, ...fields, ...(type === 9 ? { event_data: data } : {}) }));

const extremeTrip = fc
  .record({
    source_trip_id: text,
    tracking_id: fc.option(text),
    insurance_period: fc.constantFrom(null, 1, 2, 3),
    duration_seconds: amount,
    distance_miles: amount,
    night_driving_seconds: amount,
    highway_miles: amount,
    night_driving_miles: amount,
    start_latitude: angle,
    start_longitude: angle,
    end_latitude: angle,
    end_longitude: angle,
    event_summary: fc.option(
      fc.record({
        phone_use_count: count,
        rapid_acceleration_count: count,
        hard_brake_count: count,
        overspeeding_count: count,
        phone_use_time_seconds: amount,
        overspeeding_time_seconds: amount,
      }),
    ),
    events: fc.array(event, { maxLength: 3 }),
    trail_path: fc.array(fc.record({ timestamp: moment, latitude: finite, longitude: finite, course: finite }), {
      maxLength: 4,
    }),
  })
  .map((fields) => ({ ...tripProcessed(), ...fields }));
const extremeProfile = fc
  .record({
    driver_id: fc.uuid(),
    revision: fc.constantFrom(1, 2, 2 ** 53 - 1),
    first_name: fc.option(text),
    last_name: fc.option(text),
    email: fc.option(text),
  })
  .map((fields) => ({ ...driverProfile(), ...fields }));

/** Returns JSON that keeps -0, which JSON.stringify would write as 0. */
function exactJson(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}:${exactJson(field)}`)
    .join(',')}}`;
}

/** Computes seconds by the old rule, under which a trip event that ends before it starts reduces the sum. */
function secondsByTheOldRule(events: readonly TripEvent[], type: 7 | 9): number {
  const durations = events.map((one) =>
    one.event_type === type ? one.event_end_timestamp - one.event_start_timestamp : 0,
  );
  return durations.reduce((sum, duration) => sum + duration, 0) / 1000;
}

/** Stores records with summaries that follow the old rule. */
async function deliverByTheOldRule({ ingest }: Pipeline, texts: readonly string[]): Promise<void> {
  const claim = await claimSource(ingest, 'old', 0);
  const records = texts.map((line, index) => {
    const record = incoming(claim.nextOffset + index, line);
    const parsed = parseRecord(Buffer.from(line), Date.now());
    if (!parsed.ok || parsed.record.kind !== 'trip.processed' || JSON.parse(line).event_summary) return record;
    const event_summary = {
      ...parsed.record.event_summary,
      phone_use_time_seconds: secondsByTheOldRule(parsed.record.events, 7),
      overspeeding_time_seconds: secondsByTheOldRule(parsed.record.events, 9),
    };
    const prepared = prepareRecord({ ok: true, record: { ...parsed.record, event_summary } }, record.raw);
    return { ...record, prepared };
  });
  await append(ingest, claim, records, claim.nextOffset + records.length);
}

/** Returns all data of the stored events that a restored log must have, too. */
async function contents({ owner }: Pipeline) {
  const { rows } = await owner.query<{
    event: { supersedes: number | null; effective: boolean };
    trail_path: Buffer;
    trip_events: Buffer;
  }>(
    `SELECT to_jsonb(event) - '{source_id,source_offset,stored_at}'::text[] AS event, body.trail_path, body.trip_events
     FROM stored_event event LEFT JOIN trip_body body USING (position) ORDER BY position`,
  );
  return rows;
}

async function unpacked(file: string): Promise<string[]> {
  return zstdDecompressSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n');
}

describeWithPostgres('an archive of the event log', () => {
  let log: Pipeline;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    log = await openPipeline([]);
    folder = await mkdtemp(join(tmpdir(), 'milepost-test-archive-'));
  });
  afterAll(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    file = join(folder, `log-${tests}.ndjson.zst`);
  });

  const exported = (pipeline: Pipeline, range: { from?: number; through?: number } = {}) =>
    exportArchive({ pool: pipeline.projector, file, signal, ...range });
  const ingested = async (pipeline: Pipeline) =>
    (await ingestFiles({ lanes: onlyLane(pipeline.ingest), files: [file], signal })).counts;
  async function verified(name = file, pipeline = log) {
    const pool = openPool(pipeline.url, ROLES.operator);
    try {
      return await verifyArchive({ pool, file: name, signal });
    } finally {
      await pool.end();
    }
  }
  /** Compresses the archive again after changing its lines. */
  async function altered(change: (lines: string[]) => void): Promise<string> {
    const lines = await unpacked(file);
    change(lines);
    const name = `${file}.altered`;
    await writeFile(name, zstdCompressSync(lines.map((line) => `${line}\n`).join('')));
    return name;
  }

  it('is refused for an empty log', async () => {
    await expect(exported(log)).rejects.toThrow('The log is empty');
    expect(await readdir(folder)).toEqual([]);
  });

  it(`restores every storable record with the same content at the same position (seed ${SEED})`, async () => {
    const restored = await openPipeline([]);
    try {
      for (const [index, sequence] of fc.sample(drawnSequence, { numRuns: SEQUENCES, seed: SEED }).entries()) {
        // Every four successive sequences share their fleet names, so that chains of revisions occur, some of them with
        // late revisions.
        const lines = textsOf(sequence.deliveries, `archived-${index >> 2}`).map(({ text: line }) => line);
        if (index % 2 === 0) await deliverByTheOldRule(log, lines);
        else await deliver(log.ingest, lines);
      }
      for (const [arbitrary, seed] of [
        [extremeTrip, SEED],
        [extremeProfile, SEED + 1],
      ] as const) {
        const records = fc.sample<object>(arbitrary, { numRuns: 400, seed }).map(exactJson);
        // Not all of them, because the generator may repeat an id.
        expect((await deliver(log.ingest, records, 'extremes')).counts.stored).toBeGreaterThan(350);
      }
      const old = fc.sample(extremeTrip, { numRuns: 300, seed: SEED + 2 });
      await deliverByTheOldRule(
        log,
        old.map((trip) => exactJson({ ...trip, event_summary: null })),
      );
      const { rows: below } = await log.owner.query(
        'SELECT FROM stored_event WHERE least(phone_use_time_seconds, overspeeding_time_seconds) < 0',
      );
      expect(below.length).toBeGreaterThan(20);
      const head = await readHeadPosition(log.owner);
      expect(head).toBeGreaterThan(800);
      expect(await exported(log)).toMatchObject({ from: 1, through: head, stored_events: head });
      expect(await verified()).toEqual({
        from: 1,
        through: head,
        stored_events: head,
        equal: true,
        difference_count: 0,
        differences: [],
        erased_records: 0,
      });

      expect(await ingested(restored)).toEqual({ read: head, stored: head, duplicates: 0, dead_letters: 0 });
      const [before, after] = [await contents(log), await contents(restored)];
      for (const [index, event] of before.entries()) expect(after[index], `position ${index + 1}`).toEqual(event);
      expect(after).toHaveLength(before.length);
      expect(await verified(file, restored)).toMatchObject({ equal: true });
      expect(await ingested(log)).toEqual({ read: head, stored: 0, duplicates: head, dead_letters: 0 });
    } finally {
      await restored.close();
    }
  });

  it(`restores exactly the stored events that erasures have left, in their order (seed ${SEED})`, async () => {
    const restored = await openPipeline([]);
    const eraser = openPool(log.url, ROLES.eraser);
    try {
      const { rows: drivers } = await log.owner.query<{ fleetId: string; driverId: string }>(
        `SELECT DISTINCT fleet_id AS "fleetId", driver_id AS "driverId" FROM stored_event
         WHERE fleet_id ~ '^north-archived' AND driver_id IS NOT NULL ORDER BY 1, 2`,
      );
      for (const [index, driver] of drivers.filter((_, place) => place % 3 === 0).entries())
        await eraseDriver(eraser, [], { ...driver, reason: 'a test', keepAggregates: index % 2 === 0 });
      const { rows: left } = await log.owner.query<{ position: number; is_whole: boolean }>(
        `SELECT position, NOT EXISTS (SELECT FROM stored_event other WHERE other.trip_id = event.trip_id
           AND other.erased IS NOT NULL) AS is_whole
         FROM stored_event event WHERE erased IS NULL ORDER BY position`,
      );
      const head = await readHeadPosition(log.owner);
      expect(left.length).toBeLessThan(head - 50);
      expect(await exported(log)).toMatchObject({ from: 1, through: head, stored_events: left.length });
      expect(await verified()).toMatchObject({ equal: true, erased_records: 0 });
      expect(await ingested(restored)).toMatchObject({ stored: left.length, dead_letters: 0 });

      // An erased stored event has no line, so later events move up, and a chain without it is shorter.
      const places = new Map(left.map(({ position }, index) => [position, index + 1]));
      const [before, after] = [await contents(log), await contents(restored)];
      for (const [index, { position, is_whole }] of left.entries()) {
        const row = before[position - 1];
        if (!row) throw new Error(`The log has no position ${position}.`);
        const { supersedes, effective, ...content } = row.event;
        const place = is_whole ? { effective, supersedes: places.get(supersedes ?? 0) ?? null } : {};
        expect(after[index], `position ${position}`).toMatchObject({
          ...row,
          event: { ...content, ...place, position: index + 1 },
        });
      }
    } finally {
      await eraser.end();
      await restored.close();
    }
  });

  it('has every record that ingest accepts, although a line can be longer than its record', async () => {
    const [source, restored] = [await openPipeline([]), await openPipeline([])];
    onTestFinished(async () => void (await Promise.all([source.close(), restored.close()])));
    await deliver(source.ingest, [longestTrip()]);
    await exported(source);
    expect((await unpacked(file))[0]?.length).toBeGreaterThan(1.5 * MAX_RECORD_BYTES);
    expect(await verified(file, source)).toMatchObject({ equal: true });
    expect(await ingested(restored)).toMatchObject({ read: 1, stored: 1 });
    expect(await contents(restored)).toEqual(await contents(source));
  });

  it('contains a closed range with all positions, and gets its final name only when it is complete', async () => {
    await deliver(log.ingest, ['{', tripProcessed({ fleet_id: 'range' })], 'milepost.trips');
    await deliver(
      log.ingest,
      [tripDeleted({ fleet_id: 'range' }), driverProfile({ fleet_id: 'range' })],
      'milepost.trips',
    );
    const head = await readHeadPosition(log.owner);
    const range = { from: head - 2, through: head - 1 };
    expect(await exported(log, range)).toMatchObject({ ...range, stored_events: 2 });
    const lines = (await unpacked(file)).map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject(tripProcessed({ fleet_id: 'range' }));
    expect(lines.map((line) => line.milepost)).toEqual([
      {
        position: head - 2,
        stored_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        topic: 'milepost.trips',
        partition: 0,
        offset: 1,
        effective: true,
        supersedes: null,
        ...range,
      },
      expect.objectContaining({ position: head - 1, offset: 2, supersedes: head - 2 }),
    ]);
    expect(await verified()).toMatchObject({ ...range, equal: true });

    await expect(exported(log)).rejects.toThrow('already exists');
    file = join(folder, 'never.ndjson.zst');
    await expect(exported(log, { through: head + 1 })).rejects.toThrow(`The log ends at position ${head}`);
    await expect(exported(log, { from: head + 1 })).rejects.toThrow('is empty');
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('Stopped.'));
    await deliver(
      log.ingest,
      Array.from({ length: 1_500 }, (_, index) => tripProcessed({ source_trip_id: `many-${index}` })),
    );
    await expect(exportArchive({ pool: log.projector, file, signal: controller.signal, onProgress })).rejects.toThrow(
      'Stopped.',
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  });

  it('marks a stored event that is set aside, which an import stores like any other', async () => {
    const [own, restored] = [await openPipeline([]), await openPipeline([])];
    try {
      await deliver(
        own.ingest,
        [1, 2, 3].map((n) => tripProcessed({ source_trip_id: `trip-${n}` })),
      );
      const reason = 'It cannot be "rendered".';
      await own.owner.query('INSERT INTO set_aside (position, reason) VALUES (2, $1)', [reason]);
      await exported(own);
      const lines = (await unpacked(file)).map((line) => JSON.parse(line));
      const mark = { position: 2, set_aside: reason };
      expect(lines.map(({ milepost }) => milepost)).toMatchObject([{ position: 1 }, mark, { position: 3 }]);
      expect(lines.filter(({ milepost }) => 'set_aside' in milepost)).toHaveLength(1);
      expect(await verified(file, own)).toMatchObject({ equal: true });
      expect(await ingested(restored)).toMatchObject({ stored: 3 });
      expect((await restored.owner.query('SELECT FROM set_aside')).rows).toEqual([]);
    } finally {
      await Promise.all([own.close(), restored.close()]);
    }
  });

  it('replaces no file that was completed while it was written', async () => {
    const chunks = async function* (text: string) {
      yield text;
    };
    const slowChunks = async function* () {
      yield 'slow';
      await writeNewFile(file, chunks('quick'), signal);
      yield 'slow';
    };
    await expect(writeNewFile(file, slowChunks(), signal)).rejects.toThrow(`${file} already exists`);
    expect(await readFile(file, 'utf8')).toBe('quick');
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is not exported when data that the log must have is missing or damaged', async () => {
    const own = await openPipeline([]);
    try {
      await deliver(
        own.ingest,
        [1, 2, 3].map((n) => tripProcessed({ source_trip_id: `trip-${n}` })),
      );
      await own.owner.query("UPDATE trip_body SET trail_path = '\\x01ff' WHERE position = 3");
      await expect(exported(own)).rejects.toThrow('The stored event at position 3 cannot be archived');
      await own.owner.query('DELETE FROM trip_body WHERE position = 3');
      await expect(exported(own)).rejects.toThrow(
        'position 3 cannot be archived: its trail and trip events are missing',
      );
      await own.owner.query('DELETE FROM stored_event WHERE position = 2');
      await expect(exported(own)).rejects.toThrow('The log has no stored event at position 2.');
    } finally {
      await own.close();
    }
  });

  it('differs from the log when it has a changed value, a missing or swapped line, or damage', async () => {
    const head = await readHeadPosition(log.owner);
    const first =
      (
        await deliver(
          log.ingest,
          [1, 2, 3, 4, 5].map((n) => tripProcessed({ fleet_id: 'differ', source_trip_id: `${n}` })),
        )
      ).headPosition - 4;
    expect(first).toBe(head + 1);
    await exported(log, { from: first });
    const differences = async (name: string) => {
      const result = await verified(name);
      expect(result).toMatchObject({ equal: false, difference_count: result.differences.length });
      return result.differences;
    };

    const changed = await altered((lines) => {
      lines[1] = lines[1]?.replace('"course":37.5', '"course":37.6') ?? '';
    });
    expect(await differences(changed)).toEqual([
      { position: first + 1, line: 2, difference: 'has different content in the log' },
    ]);

    const metadata = await altered((lines) => {
      lines[1] = lines[1]?.replace('"effective":true', '"effective":false') ?? '';
      lines[2] = lines[2]?.replace('"supersedes":null', '"supersedes":1') ?? '';
    });
    expect(await differences(metadata)).toEqual([
      { position: first + 1, line: 2, difference: 'is effective in the log' },
      { position: first + 2, line: 3, difference: 'supersedes nothing in the log, and 1 in the archive' },
    ]);

    expect(await differences(await altered((lines) => lines.splice(1, 2)))).toEqual([
      { position: first + 1, line: 2, difference: `is missing, as are all positions up to ${first + 2}` },
    ]);
    expect(await differences(await altered((lines) => lines.shift()))).toMatchObject([{ position: first, line: 1 }]);
    expect(await differences(await altered((lines) => lines.pop()))).toEqual([
      { position: first + 4, line: null, difference: 'is missing' },
    ]);
    const swapped = await altered((lines) => lines.splice(1, 2, lines[2] ?? '', lines[1] ?? ''));
    expect(await differences(swapped)).toEqual([
      { position: first + 1, line: 2, difference: 'is missing' },
      { position: first + 1, line: 3, difference: `is out of order, after position ${first + 2}` },
    ]);
    const twice = await altered((lines) => lines.splice(1, 0, lines[0] ?? ''));
    expect(await differences(twice)).toMatchObject([{ position: first, line: 2 }]);
    const unreadable = await altered((lines) => {
      lines[1] = lines[1]?.replace('"revision":1', '"revision":0') ?? '';
      lines[2] = '{}';
    });
    expect(await differences(unreadable)).toMatchObject([
      { position: first + 1, line: 2, difference: expect.stringContaining('/revision') },
      { position: null, line: 3 },
      { position: first + 2, line: 4, difference: 'is missing' },
    ]);

    const bytes = await readFile(file);
    for (const [what, damaged] of [
      ['changed', bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1)],
      ['cut', bytes.subarray(0, bytes.length - 3)],
      ['longer', Buffer.concat([bytes, bytes])],
      ['empty', Buffer.alloc(0)],
    ] as const) {
      await writeFile(`${file}.${what}`, damaged);
      const found = await differences(`${file}.${what}`);
      expect(found[0]?.difference, what).toContain('cannot be read from here on');
    }
    await expect(verified(`${file}.nowhere`)).rejects.toThrow('does not exist');
  });

  it('differs from the log when a line is missing beside the position of an erased stored event', async () => {
    const own = await openPipeline([]);
    const eraser = openPool(own.url, ROLES.eraser);
    try {
      const drivers = ['first', 'erased', 'last'];
      await deliver(
        own.ingest,
        drivers.map((driver_id) => driverProfile({ fleet_id: 'beside', driver_id })),
      );
      const request = { fleetId: 'beside', driverId: 'erased', reason: 'a test', keepAggregates: false };
      await eraseDriver(eraser, [], request);
      expect(await exported(own)).toMatchObject({ from: 1, through: 4, stored_events: 2 });
      expect(await verified(file, own)).toMatchObject({ equal: true });
      expect((await verified(await altered((lines) => lines.shift()), own)).differences).toEqual([
        { position: 1, line: 1, difference: 'is missing, as are all positions up to 2' },
      ]);
      expect((await verified(await altered((lines) => lines.pop()), own)).differences).toEqual([
        { position: 2, line: null, difference: 'is missing, as are all positions up to 4' },
      ]);
    } finally {
      await eraser.end();
      await own.close();
    }
  });

  it('differs from the log when the log was edited directly', async () => {
    const { headPosition } = await deliver(log.ingest, [
      tripProcessed({ fleet_id: 'changed' }),
      driverProfile({ fleet_id: 'changed' }),
    ]);
    await log.owner.query('UPDATE stored_event SET distance_miles = distance_miles + 1 WHERE position = $1', [
      headPosition - 1,
    ]);
    await exported(log, { from: headPosition - 1 });
    expect((await verified()).differences).toMatchObject([{ position: headPosition - 1, line: 1 }]);
  });
});
