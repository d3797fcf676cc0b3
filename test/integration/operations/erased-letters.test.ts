import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRecord } from '@milepost/dead-letters';
import { retryDeadLetters } from '@milepost/dead-letters/retry';
import { claimSource } from '@milepost/event-log/sources';
import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { eraseDriver } from '../../../packages/operator/erasure/erase-driver.ts';
import { run } from '../../support/command.ts';
import { openFolder, untilTestEnds } from '../../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { expectSuccess } from '../../support/milepost.ts';
import { append, deliver, openPipeline } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';

const SEED = Math.floor(Math.random() * 2 ** 31);
const ROUNDS = 5;
const LETTERS = 200;
const VICTIM = 'Vérène O\'Neil/"7"';

/** A record that ingest refuses, and whether it is about the erased driver. */
interface Letter {
  raw: Buffer;
  isAbout: boolean;
}

const WAYS = ['plain', 'plain', 'lower', 'upper', 'short'] as const;

/** A string as JSON, with each character either literal or escaped. */
const spelled = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WAYS), { minLength: text.length, maxLength: text.length }).map((ways) => {
    const units = ways.map((way, index) => {
      const unit = text.charAt(index);
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      if (way === 'lower') return `\\u${hex}`;
      if (way === 'upper') return `\\u${hex.toUpperCase()}`;
      return unit === '"' || (unit === '/' && way === 'short') ? `\\${unit}` : unit;
    });
    return `"${units.join('')}"`;
  });

/** Converts text to a string with one character per UTF-8 byte, so that a test can insert invalid bytes. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const shape = fc.constantFrom<(id: string) => string>(
  (id) => id,
  (id) => `[${id}]`,
  (id) => `[["x"],[{"y":${id}}]]`,
  (id) => `{"id":${id}}`,
  (id) => `{${id}:1}`,
);
/** The JSON members about the fleet, and whether they show which fleet it is. */
const fleetShape = fc.constantFrom<[members: (own: string, other: string) => string[], isTold: boolean]>(
  [(own) => [`"fleet_id":${own}`], true],
  [(own) => [`"fleet_id" : ${own} `], true],
  [(own) => [`"fleet\\u005fid":[${own}]`], true],
  [(own, other) => [`"fleet_id":${own}`, `"fleet_id":${other}`], true],
  [(own, other) => [`"fleet_id":${other}`, `"fleet_id":${own}`], true],
  [() => [], false],
  [() => ['"fleet_id":null'], false],
  [() => ['"fleet_id":""'], false],
  [(own) => [`"fleet_id":{"id":${own}}`], false],
);

/**
 * A record about the driver, a colleague, or a driver with the same id in another fleet. Ingest cannot store any of
 * them.
 */
function letterOf(fleet: string, other: string, driver: string): fc.Arbitrary<Letter> {
  return fc
    .record({
      whose: fc.constantFrom('driver', 'driver', 'colleague', 'namesake'),
      ids: fc.record({ driver: spelled(driver), colleague: spelled('colleague'), namesake: spelled(driver) }),
      fleetIds: fc.record({ driver: spelled(fleet), colleague: spelled(fleet), namesake: spelled(other) }),
      otherId: spelled(other),
      encode: fc.constantFrom<(id: string) => string>(
        utf8,
        utf8,
        // The bytes as Latin-1, which leaves them unchanged.
        String,
        (id) => utf8(id).replace('"', '"\xe2\x82'),
        (id) => utf8(id).replace(/"$/, '\xff"'),
      ),
      shape,
      fleetShape,
      more: fc.constantFrom([], [], ['"driver_id":"somebody"'], ['"driver_id":null']),
      order: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      end: fc.constantFrom('}', '}', ',"note":"cut', '}]garbage', '}{"x":1}', ',"note":"\xff"}', ',"note":"\xc3'),
      start: fc.constantFrom('{', '{', '{', '[{', '\xef\xbb\xbf{'),
    })
    .map(({ whose, ids, fleetIds, otherId, encode, fleetShape: [fleets, isTold], more, order, ...drawn }) => {
      const members = [
        // Ingest refuses this record only because of its revision.
        '"kind":"driver.profile"',
        '"revision":"Vix"',
        `"driver_id":${drawn.shape(encode(ids[whose]))}`,
        ...fleets(fleetIds[whose], otherId),
        ...more,
      ];
      const shuffled = members
        .map((member, index) => ({ member, by: order[index] ?? index }))
        .toSorted((left, right) => left.by - right.by);
      const text = `${drawn.start}${shuffled.map(({ member }) => member).join(',')}${drawn.end}`;
      return {
        raw: Buffer.from(text, 'latin1'),
        isAbout: whose === 'driver' || (whose === 'namesake' && !isTold),
      };
    });
}

describeWithOwnPipeline('dead letters of an erased driver', (pipeline) => {
  async function erase(driverId = VICTIM, fleetId = 'acme', pool = pipeline.eraser): ReturnType<typeof eraseDriver> {
    return await eraseDriver(pool, PROJECTIONS, { fleetId, driverId, reason: 'case 812', keepAggregates: false });
  }

  /** Returns the bytes that remain in a topic's dead letters, by offset. */
  async function bytesLeft(topic: string, { rows } = pipeline): Promise<Map<number, string>> {
    const left = await rows<{ source_offset: number; raw: Buffer }>(
      `SELECT source_offset, raw FROM dead_letter JOIN log_source USING (source_id)
       WHERE topic = $1 AND raw IS NOT NULL ORDER BY source_offset`,
      topic,
    );
    return new Map(left.map(({ source_offset, raw }) => [source_offset, raw.toString('latin1')]));
  }
  const offsetsLeft = async (topic: string) => [...(await bytesLeft(topic)).keys()];

  it(`keep the same bytes, whether they arrive before or after the erasure (seed ${SEED})`, async () => {
    const after = untilTestEnds(await openPipeline());
    for (let round = 0; round < ROUNDS; round += 1) {
      const [fleet, other, driver] = [`acme-${round}`, `other-${round}`, `${VICTIM} ${round}`];
      const letters = fc.sample(letterOf(fleet, other, driver), { numRuns: LETTERS, seed: SEED + round });
      const raws = letters.map(({ raw }) => raw);
      const known = [driverProfile({ fleet_id: fleet, driver_id: driver }), driverProfile({ fleet_id: fleet })];
      await deliver(pipeline.ingest, known);
      await deliver(after.ingest, known);
      const topic = `letters-${round}`;
      expect((await deliver(pipeline.ingest, raws, topic)).counts.dead_letters).toBe(LETTERS);
      await erase(driver, fleet);
      await erase(driver, fleet, after.eraser);
      expect((await deliver(after.ingest, raws, topic)).counts.dead_letters).toBe(LETTERS);
      const expected = letters.flatMap(({ raw, isAbout }, offset) =>
        isAbout ? [] : [[offset, raw.toString('latin1')] as const],
      );
      expect(expected.length).toBeGreaterThan(LETTERS / 5);
      expect(await bytesLeft(topic), 'erased after they came').toEqual(new Map(expected));
      expect(await bytesLeft(topic, after), 'come after the erasure').toEqual(new Map(expected));
    }
    const erased = await after.rows('SELECT DISTINCT reason, message, resolution FROM dead_letter WHERE raw IS NULL');
    const message = expect.stringContaining('has been erased');
    expect(erased).toEqual([{ reason: 'driver_erased', message, resolution: 'discarded' }]);
  });

  it('are erased only if their trip belongs to the driver, not if it has moved to another driver', async () => {
    const deletedTrip = (source_trip_id: string, ...revisions: [driver_id: string, revision: number][]) => [
      ...revisions.map(([driver_id, revision]) => tripProcessed({ source_trip_id, driver_id, revision })),
      tripDeleted({ source_trip_id, revision: 3 }),
    ];
    await deliver(pipeline.ingest, [
      ...deletedTrip('moved-away', [VICTIM, 1], ['driver-2', 2]),
      ...deletedTrip('moved-here', ['driver-2', 1], [VICTIM, 2]),
      // The lower revisions of these trips arrive last.
      ...deletedTrip('late-away', ['driver-2', 2], [VICTIM, 1]),
      ...deletedTrip('late-here', [VICTIM, 2], ['driver-2', 1]),
    ]);
    const broken = ['moved-away', 'late-away', 'moved-here', 'late-here'].flatMap((source_trip_id) => [
      { ...tripDeleted({ source_trip_id }), revision: 'x' },
      { ...tripProcessed({ source_trip_id, driver_id: 'driver-2', revision: 2 }), revision: 'x' },
      `${JSON.stringify(tripDeleted({ source_trip_id }))}garbage`,
      // This is already stored with different content.
      tripProcessed({ source_trip_id, driver_id: 'driver-2', distance_miles: 99 }),
    ]);
    await deliver(pipeline.ingest, broken, 'before');
    await erase();
    await deliver(pipeline.ingest, broken, 'after');
    for (const topic of ['before', 'after']) expect(await offsetsLeft(topic), topic).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const deletions = 'SELECT source_trip_id, erased FROM stored_event WHERE kind = 2 ORDER BY position';
    expect(await pipeline.rows(deletions)).toEqual([
      { source_trip_id: 'moved-away', erased: null },
      { source_trip_id: null, erased: 2 },
      { source_trip_id: 'late-away', erased: null },
      { source_trip_id: null, erased: 2 },
    ]);
  });

  it('are erased if their bytes name the driver, even if the parsed record belongs to another driver', async () => {
    await deliver(pipeline.ingest, [driverProfile({ driver_id: VICTIM }), driverProfile({ driver_id: 'driver-2' })]);
    const conflict = JSON.stringify(driverProfile({ driver_id: 'driver-2', alias: 'other' }));
    const records = [conflict, conflict.replace('{', `{"driver_id":${JSON.stringify(VICTIM)},`)];
    await deliver(pipeline.ingest, records, 'before');
    await erase();
    await deliver(pipeline.ingest, records, 'after');
    for (const topic of ['before', 'after']) expect(await offsetsLeft(topic), topic).toEqual([0]);
    // Unless the record causes a conflict, it is stored, because it contains no data about the driver.
    const next = records.map((record) => record.replace('"revision":1', '"revision":2'));
    expect((await deliver(pipeline.ingest, next.slice(1), 'next')).counts).toMatchObject({ stored: 1 });
  });

  it('are erased if they arrive while the erasure is waiting for the log', async () => {
    const own = { driver_id: VICTIM, source_trip_id: 'own' };
    await deliver(pipeline.ingest, [driverProfile({ driver_id: VICTIM }), tripProcessed(own)]);
    const broken = { ...driverProfile({ driver_id: VICTIM }), revision: 'x' };
    // Only the trip shows that this record is about the driver.
    const ofTrip = { ...tripDeleted({ source_trip_id: 'own' }), revision: 'x' };
    // Both transactions wait for the head. The erasure has already searched the dead letters, but the transaction with
    // the new dead letters is ahead of it in the queue.
    const { dead_letters } = await whileLocked(pipeline.owner, 'SELECT FROM log_head FOR UPDATE', 2, async () => {
      const records = [broken, { ...broken, driver_id: 'driver-2' }, ofTrip];
      const delivering = deliver(pipeline.ingest, records, 'late');
      delivering.catch(() => {});
      await lockWaiters(pipeline.owner, 1);
      const erased = await erase();
      await delivering;
      return erased;
    });
    expect(dead_letters).toBe(2);
    expect(await offsetsLeft('late')).toEqual([1]);
  });

  it('that are too large do not stop ingest with a small heap, and are also erased', async () => {
    await deliver(pipeline.ingest, [driverProfile({ driver_id: VICTIM }), driverProfile({ driver_id: 'driver-2' })]);
    const large = (driver: string) =>
      `{"driver_id":${JSON.stringify(driver)},"fleet_id":"acme","x":[${'{},'.repeat(5_700_000)}0]}`;
    const file = join(untilTestEnds(await openFolder()).path, 'large.ndjson');
    await writeFile(file, `${large(VICTIM)}\n${large('driver-2')}\n`);
    const ingest = async () =>
      await run(['ingest', file, '--json'], { DATABASE_URL: pipeline.url, NODE_OPTIONS: '--max-old-space-size=200' });
    const before = await ingest();
    expectSuccess(before);
    await erase();
    expect(await ingest()).toMatchObject({ code: 0, stdout: before.stdout });
    const rows = await pipeline.rows<{ id: number; line: number }>(
      'SELECT dead_letter_id AS id, source_offset AS line FROM dead_letter ORDER BY dead_letter_id',
    );
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 1, 2]);
    for (const { id, line } of rows) {
      const { byteLength } = (await openRecord(pipeline.operator, id)) ?? { byteLength: null };
      expect(byteLength, `line ${line}`).toBe(line === 1 ? 0 : Buffer.byteLength(large('driver-2')));
    }
  }, 120_000);

  it('that name too many ids are erased by the first erasure, but do not cause an erasure themselves', async () => {
    const unclear = [Array.from({ length: 300 }, (_, index) => `id-${index}`)];
    await deliver(pipeline.ingest, [...unclear, driverProfile({ driver_id: VICTIM })], 'before');
    await expect(erase('nobody')).rejects.toMatchObject({ reason: { code: 'unknown' } });
    expect(await offsetsLeft('before')).toEqual([0]);
    expect(await erase()).toMatchObject({ stored_events: 1, dead_letters: 1 });
    await deliver(pipeline.ingest, unclear, 'after');
    for (const topic of ['before', 'after']) expect(await bytesLeft(topic), topic).toEqual(new Map());
  });

  it('that contain a compressed batch are erased by every erasure, and cannot be retried', async () => {
    const reader = untilTestEnds(new RecordReader());
    const refusal = { reason: 'batch_too_large', field: null, message: 'It is a batch.' } as const;
    const deliverBatch = async (topic: string) => {
      const records = await reader.prepare([{ offset: 0, value: Buffer.from('packed'), refusal }]);
      await append(pipeline.ingest, await claimSource(pipeline.ingest, topic, 0), records, 1);
    };
    await deliver(pipeline.ingest, [driverProfile({ driver_id: VICTIM })], 'drivers');
    await deliverBatch('before');
    expect(await retryDeadLetters(pipeline.ingest, [1])).toMatchObject([
      { outcome: 'refused', message: expect.stringContaining('publish the record again') },
    ]);
    expect(await offsetsLeft('before')).toEqual([0]);
    expect(await erase()).toMatchObject({ dead_letters: 1 });
    await deliverBatch('after');
    for (const topic of ['before', 'after']) expect(await bytesLeft(topic), topic).toEqual(new Map());
    // A later dead letter still describes the records that were not read.
    const letters = await pipeline.rows('SELECT reason, message FROM dead_letter ORDER BY dead_letter_id');
    expect(letters).toEqual([
      { reason: 'batch_too_large', message: 'The driver was erased.' },
      { reason: 'batch_too_large', message: 'It is a batch.' },
    ]);
  });
});
