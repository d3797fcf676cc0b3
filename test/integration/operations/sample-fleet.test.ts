import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import { ROLES } from '@milepost/postgres';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { expect, it } from 'vitest';
import type { WithPool } from '../../../apps/cli/database.ts';
import { writeToFile } from '../../../apps/cli/simulate/to-ndjson.ts';
import { findExampleTrip, loadSampleFleet } from '../../../apps/cli/up/sample-fleet.ts';
import { openFolder, perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const { signal } = new AbortController();
const folder = perSuite(openFolder);

/** Yields records of 100 KiB, so that a chunk of the file ends after every third record. */
function* largeRecords(count: number): Generator<SimulatedRecord> {
  for (let index = 0; index < count; index += 1) {
    yield { topic: 'trips', key: 'acme/ann', value: JSON.stringify({ index, filler: 'x'.repeat(102_400) }) };
  }
}

it.each([0, 1, 3, 10])('a file of %i large sample records contains each record on its own line', async (count) => {
  const file = join(folder.path, `${count}.ndjson`);
  await writeToFile(largeRecords(count), file, signal);
  const lines = (await readFile(file, 'utf8')).split('\n');
  expect(lines.at(-1)).toBe('');
  expect(lines.slice(0, -1)).toEqual([...largeRecords(count)].map(({ value }) => value));
});

it('an incomplete file of sample records does not remain', async () => {
  const stopped = AbortSignal.abort(new Error('Interrupted.'));
  await expect(writeToFile(largeRecords(3), join(folder.path, 'stopped.ndjson'), stopped)).rejects.toThrow(
    'Interrupted.',
  );
  expect((await readdir(folder.path)).filter((name) => name.startsWith('stopped'))).toEqual([]);
});

describeWithPostgres('the sample fleet', () => {
  it('is completed by the next start after a load that failed partway, and is then not loaded again', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const home = untilTestEnds(await openFolder()).path;
    const withPool: WithPool = async (role, work) => {
      // No projector runs alongside this test.
      if (role === ROLES.operator) await projectAll(pipeline);
      return await work(role === ROLES.operator ? pipeline.operator : pipeline.ingest, pipeline.url);
    };
    const load = async () => {
      const said: string[] = [];
      await loadSampleFleet(withPool, home, signal, (line) => said.push(line));
      return said;
    };
    const counted = async () => {
      const { rows } = await pipeline.owner.query('SELECT count(*)::integer AS stored FROM stored_event');
      return rows[0].stored;
    };
    await pipeline.owner.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more events'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON stored_event
        FOR EACH ROW WHEN (new.position > 3000) EXECUTE FUNCTION refuse()`);
    await expect(load()).rejects.toThrow('no more events');
    const part = await counted();
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThanOrEqual(3_000);
    await pipeline.owner.query('DROP TRIGGER refuse ON stored_event');
    const [begun, ended] = await load();
    const added = (await counted()) - part;
    expect(added).toBeGreaterThan(0);
    expect(begun).toContain('Loading a sample fleet');
    expect(ended).toMatch(new RegExp(`^Loaded \\d+ records: ${added} stored, `));
    await expect(access(join(home, 'sample-fleet.ndjson'))).rejects.toThrow('ENOENT');
    expect(await load()).toEqual([]);
  });

  it('contains a trip for the examples that is old enough for every endpoint', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const hour = 3_600_000;
    const midnight = Date.UTC(2025, 0, 16);
    const trip = (source_trip_id: string, start: number, more: Partial<Parameters<typeof tripProcessed>[0]> = {}) =>
      tripProcessed({ source_trip_id, trip_start_time: start, events: [], ...more });
    const found = async (now: number) => await findExampleTrip(pipeline.operator, 'acme', now);
    const late = trip('late', midnight - hour);
    const first = trip('first', midnight);
    const later = midnight + 48 * hour;
    const steps: [stored: object[], now: number, expected: string | null][] = [
      [[], midnight, null],
      [[late, trip('other', midnight - hour, { fleet_id: 'other' })], late.trip_end_time + 4 * hour - 1, null],
      [[], late.trip_end_time + 4 * hour, 'late'],
      // A day's summary exists only after the day has ended.
      [[first], first.trip_end_time + 4 * hour, 'late'],
      [[], midnight + 24 * hour, 'first'],
      [[], midnight + 150 * 24 * hour, 'first'],
      [[], midnight + 151 * 24 * hour, null],
      // A tracking id takes precedence over a plain driver id, and both take precedence over the newest start.
      [[trip('spaced', midnight + hour, { driver_id: 'a b' })], later, 'first'],
      [[trip('tracked', midnight - 9 * hour, { driver_id: 'a b', tracking_id: 'x' })], later, 'tracked'],
      [[tripDeleted({ source_trip_id: 'tracked' })], later, 'first'],
    ];
    for (const [index, [stored, now, expected]] of steps.entries()) {
      await deliver(pipeline.ingest, stored, `step-${index}`);
      const example = await found(now);
      expect(example?.tripId ?? null, `step ${index}`).toBe(expected && tripId('acme', expected));
      expect(example?.trackingId ?? null).toBe(expected === 'tracked' ? 'x' : null);
    }
    expect(await found(late.trip_end_time + 4 * hour)).toEqual({
      driverId: 'driver-1',
      tripId: tripId('acme', 'late'),
      trackingId: null,
      date: '2025-01-15',
      monday: '2025-01-13',
    });
  });
});
