import { beforeAll, expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { drawFrom } from '../../support/draw.ts';
import { findEverywhere } from '../../support/find-everywhere.ts';
import { perSuite } from '../../support/fixtures.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const SEED = Number(process.env['ERASURE_SEED'] ?? Math.floor(Math.random() * 1e9));
const LANES = 3;

interface OfFleet {
  fleet_id: string;
}

function withoutFleet({ fleet_id: _, ...rest }: OfFleet): object {
  return rest;
}

/** A record, the ids in it, and the strings that only this record contains. */
interface Sent {
  record: object;
  driverId: string | null;
  tripId: string | null;
  /** Whether the record breaks a rule. */
  isBroken: boolean;
  secret: string;
  figure: string;
}

describeWithPostgres('an erasure in several lanes', () => {
  const world = perSuite(() => LaneWorld.create(LANES, 1));
  beforeAll(async () => {
    world.project();
    await world.ingest();
  });

  async function publish(...records: object[]): Promise<void> {
    world.publish(0, ...records);
    await world.untilApplied();
  }

  /** Settles all dead letters, as a move requires, and then moves a fleet. */
  async function move(fleetId: string, lane: number): Promise<void> {
    for (const { number } of world.lanes) await world.discardLetters(number);
    await world.move(fleetId, lane);
  }

  async function erase(fleetId: string, driver: string, ...more: string[]) {
    const words = ['--fleet', fleetId, '--driver', driver, '--reason', 'case 812', '--yes', '--json', ...more];
    const { code, stdout, stderr } = await run(['drivers', 'erase', ...words], { DATABASE_URL: world.url });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  const find = async (...texts: string[]) => await findEverywhere(world.owner(0), texts);

  const trip = (fleet_id: string, id: string, driver_id: string, overrides: object = {}) =>
    tripProcessed({ fleet_id, source_trip_id: id, driver_id, ...overrides });

  /** A record that breaks a rule and names only a trip. */
  const broken = (fleet_id: string, source_trip_id: string, secret: string) => ({
    ...tripDeleted({ fleet_id, source_trip_id, revision: 0 }),
    tracking_id: secret,
  });

  it.each(['person-a1', 'person-a2'])(
    'removes a dead letter in a former lane about a trip of person-a1 that later moved to person-a2: %s',
    async (driver) => {
      const fleet = `fleet-${driver}`;
      await world.place(fleet, 1);
      await publish(trip(fleet, 'trip-1', 'person-a1'), broken(fleet, 'trip-1', `letter-${driver}`));
      await publish(broken(fleet, 'trip-2', `other-${driver}`));
      await move(fleet, 0);
      await publish(trip(fleet, 'trip-1', 'person-a2', { revision: 2 }));
      expect(await erase(fleet, driver)).toMatchObject({ dead_letters: 1 });
      expect(await find(`letter-${driver}`)).toEqual([]);
      expect(await find(`other-${driver}`)).toEqual([`milepost_lane_1.dead_letter.raw: other-${driver}`]);
    },
  );

  it('removes a dead letter in a former lane that names only a trip, which is not in that lane', async () => {
    await world.place('fleet-b', 1);
    await publish(trip('fleet-b', 'other', 'other'), broken('fleet-b', 'trip-b', 'letter-b'));
    await move('fleet-b', 0);
    await publish(trip('fleet-b', 'trip-b', 'person-b'));
    expect(await erase('fleet-b', 'person-b')).toMatchObject({ dead_letters: 1 });
    expect(await find('letter-b', 'trip-b', 'person-b')).toEqual([]);
  });

  it('by the pseudonym removes the figures in former lanes, where the driver has a different pseudonym', async () => {
    await world.place('fleet-c', 1);
    await publish(trip('fleet-c', 'trip-1', 'person-c', { distance_miles: 123.45625 }));
    await move('fleet-c', 2);
    await move('fleet-c', 0);
    const { pseudonym } = await erase('fleet-c', 'person-c', '--keep-aggregates');
    const schemas = async () => new Set((await find('123.456')).map((place) => place.split('.')[0]));
    expect(await schemas()).toEqual(new Set(['milepost', 'milepost_lane_1', 'milepost_lane_2']));
    expect(await erase('fleet-c', pseudonym)).toMatchObject({ pseudonym, aggregates_kept: false });
    expect(await schemas()).toEqual(new Set());
  });

  it('refuses later records that have no fleet and name only the driver or a trip', async () => {
    await world.place('fleet-d', 1);
    await publish(trip('fleet-d', 'trip-d', 'person-d'));
    await erase('fleet-d', 'person-d');
    await publish(
      withoutFleet(broken('fleet-d', 'trip-d', 'late-trip')),
      withoutFleet(trip('fleet-d', 'trip-2', 'person-d', { tracking_id: 'late-driver' })),
      withoutFleet(broken('fleet-d', 'trip-2', 'of-another-trip')),
    );
    expect(await find('late-trip', 'late-driver', 'trip-d', 'person-d')).toEqual([]);
    expect(await find('of-another-trip')).toEqual(['milepost.dead_letter.raw: of-another-trip']);
  });

  it('removes the same data when it is repeated after it failed in another lane', async () => {
    await world.place('fleet-e', 1);
    await publish(trip('fleet-e', 'trip-e', 'person-e'), withoutFleet(broken('fleet-e', 'trip-e', 'letter-e')));
    await move('fleet-e', 2);
    await world.owner(0).query('ALTER TABLE erasure RENAME COLUMN reason TO away');
    await expect(erase('fleet-e', 'person-e')).rejects.toThrow('"reason"');
    await world.owner(0).query('ALTER TABLE erasure RENAME COLUMN away TO reason');
    expect(await find('letter-e')).toEqual(['milepost.dead_letter.raw: letter-e']);
    expect(await erase('fleet-e', 'person-e')).toMatchObject({ stored_events: 0, dead_letters: 1 });
    expect(await find('letter-e', 'trip-e', 'person-e')).toEqual([]);
    await expect(erase('fleet-e', 'person-e')).rejects.toThrow('already been erased');
  });

  it(`leaves nothing in any lane, whatever has moved or changed or arrives later (seed ${SEED})`, async () => {
    const draw = drawFrom(SEED);
    const fleets = ['north', 'south', 'west'].map((name) => `${name}-${SEED}`);
    const driverOf = (fleet: string, number: number) => `person-${fleet}-${number}.`;
    const sent: Sent[] = [];
    /** For each driver id, the pseudonym and whether the driver's aggregates are kept. */
    const erased = new Map<string, { fleetId: string; pseudonym: string; isKept: boolean }>();
    /** The erased drivers' trips, each with its number of records before the erasure. */
    const erasedTrips = new Map<string, number>();

    function drawRecord(fleetId: string): Sent {
      const secret = `secret-${sent.length}.`;
      const figure = `${80_000 + sent.length}.515625`;
      const ids = { driverId: driverOf(fleetId, draw(3)), tripId: `trip-${fleetId}-${draw(4)}.` };
      const more = { fleet_id: fleetId, revision: 1 + draw(6), tracking_id: secret };
      const ofTrip = { ...more, source_trip_id: ids.tripId };
      const [record, named] = [
        [driverProfile({ ...more, driver_id: ids.driverId, alias: secret }), { ...ids, tripId: null }] as const,
        [tripDeleted(ofTrip), { ...ids, driverId: null }] as const,
        [trip(fleetId, ids.tripId, ids.driverId, { ...more, distance_miles: Number(figure) }), ids] as const,
      ][Math.min(2, draw(4))] ?? [more, ids];
      const isBroken = draw(2) === 0;
      const refused = { ...record, revision: 'x' };
      const published = isBroken ? (draw(2) === 0 ? refused : withoutFleet(refused)) : record;
      return { record: published, ...named, isBroken, secret, figure };
    }

    async function send(): Promise<void> {
      const first = sent.length;
      for (const fleet of fleets) for (let count = 0; count < 5; count += 1) sent.push(drawRecord(fleet));
      await publish(...sent.slice(first).map(({ record }) => record));
    }

    async function eraseDriver(fleetId: string, driverId: string): Promise<void> {
      const isKept = draw(2) === 0;
      const { rows } = await world.owner(await world.laneOf(fleetId)).query<{ id: string; driver_id: string }>(
        `SELECT DISTINCT ON (trip_id) source_trip_id AS id, driver_id FROM stored_event
         WHERE fleet_id = $1 AND kind = 1 ORDER BY trip_id, revision DESC`,
        [fleetId],
      );
      const { pseudonym } = await erase(fleetId, driverId, ...(isKept ? ['--keep-aggregates'] : []));
      erased.set(driverId, { fleetId, pseudonym, isKept });
      for (const { id, driver_id } of rows) if (driver_id === driverId) erasedTrips.set(id, sent.length);
    }

    async function check(): Promise<void> {
      const wanted = [...erased.keys(), ...sent.flatMap(({ secret, figure }) => [secret, figure])];
      const places = Map.groupBy(await find(...wanted), (place) => place.split(': ')[1] ?? '');
      const inLetters = (text: string) => (places.get(text) ?? []).filter((place) => place.includes('.dead_letter'));
      const ofErased = new Set(sent.flatMap((each) => (erased.has(each.driverId ?? '') ? (each.tripId ?? []) : [])));
      for (const driverId of erased.keys()) expect(places.get(driverId), driverId).toBeUndefined();
      for (const [index, { record, driverId, tripId, isBroken, secret, figure }] of sent.entries()) {
        const text = JSON.stringify(record);
        const driver = erased.get(driverId ?? '');
        const erasedAt = erasedTrips.get(tripId ?? '');
        if (driver) expect(places.get(secret), text).toBeUndefined();
        if (driver && !driver.isKept) expect(places.get(figure), text).toBeUndefined();
        if (erasedAt !== undefined) expect(inLetters(secret), text).toEqual([]);
        if (erasedAt !== undefined && index >= erasedAt) expect(places.get(secret), text).toBeUndefined();
        const isOfOthers = !driver && !ofErased.has(tripId ?? '');
        if (isBroken && isOfOthers) expect(inLetters(secret), text).toHaveLength(1);
      }
    }

    for (const fleet of fleets) await world.place(fleet, draw(LANES));
    // Otherwise, the drawn records might not name a driver, and then there would be nothing to erase.
    const drivers = fleets.flatMap((fleet_id) =>
      [0, 1].map((each) => ({ fleet_id, driver_id: driverOf(fleet_id, each) })),
    );
    await publish(...drivers.map(driverProfile));
    for (let round = 0; round < 3; round += 1) {
      await send();
      for (const fleet of fleets) {
        const lane = draw(LANES);
        if (lane !== (await world.laneOf(fleet))) await move(fleet, lane);
      }
    }
    await send();
    await check();
    for (const number of [0, 1]) {
      for (const fleet of fleets) await eraseDriver(fleet, driverOf(fleet, number));
      await check();
      await send();
      await check();
    }
    for (const [driverId, driver] of erased) {
      if (!driver.isKept) continue;
      await erase(driver.fleetId, draw(3) === 0 ? driverId : driver.pseudonym);
      driver.isKept = false;
    }
    await send();
    await check();
    for (let lane = 0; lane < LANES; lane += 1) expect(await world.audit(lane)).toEqual([]);
  });
});
