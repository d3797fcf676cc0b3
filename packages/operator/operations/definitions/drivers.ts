import * as engine from '@milepost/erasure';
import { ROLES } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { findLaneOfFleet, findMoveOfFleet, listLanesOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import { PROJECTIONS } from '@milepost/projections';
import Type from 'typebox';
import { type OperationContext, operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { driver, Flag, isText, Reason, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { listErasures } from './erasures.ts';
import { listDrivers, listFleets } from './known-drivers.ts';

/** The rule for `reason` ignores shorter ids, because they may be part of a word. */
const MIN_SEARCHED_ID_CHARACTERS = 4;

/**
 * Lists the lanes besides the fleet's own that may contain data about a driver. These are the lanes that the fleet has
 * left or has begun to move to, and lane 0, which stores the records without a fleet.
 */
async function listOtherLanes({ directory, findLane }: OperationContext, home: number, fleetId: string) {
  const ofFleet = new Set(await listLanesOfFleet(directory, fleetId));
  const numbers = [...new Set([FIRST_LANE, ...ofFleet])].filter((number) => number !== home);
  const lanes = await Promise.all(numbers.map(findLane));
  return lanes.map(({ number, pool }) => ({ pool: pool(ROLES.eraser), hasFleet: ofFleet.has(number) }));
}

export const erase = operation({
  name: 'drivers.erase',
  arguments: [],
  path: '/drivers/:fleet_id/:driver_id/erasure',
  summary: 'Erase a driver',
  description:
    "Removes the person permanently. Names, email, alias, the driver's id, coordinates, paths and trip events are removed from the log, from every read table and from the dead letters of the fleet's lane, of its former lanes and of lane 0. A pseudonym replaces the id. These lanes refuse later records about the driver or the driver's trips. If the erasure fails in one of the lanes, repeat the request. The erasure cannot be undone. Backups, the write-ahead log and the Kafka topic keep the data until they expire. While the erasure is running, usually for well under a second, nothing is stored or projected, but reads continue. The audit trail contains only the pseudonym.",
  input: Type.Object({
    ...driver,
    reason: Reason('a reason of 1 to 1,000 characters. It is kept permanently, so it must not name the person.'),
    keep_aggregates: Flag('whether to keep the daily and weekly figures under a pseudonym.'),
  }),
  inputErrors: ({ driver_id, reason }) =>
    driver_id.length >= MIN_SEARCHED_ID_CHARACTERS && reason.includes(driver_id)
      ? [{ parameter: 'reason', message: 'It must not name the driver, because it is kept permanently.' }]
      : [],
  answer: Type.Object({
    position: WholeNumber('The position of the stored event that records the erasure.', 4711),
    fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
    pseudonym: Text("The pseudonym that replaces the driver's id from now on.", 'erased-1f2e3d4c'),
    aggregates_kept: YesNo('Whether the daily and weekly figures are kept under the pseudonym.'),
    stored_events: WholeNumber('The number of redacted stored events.', 2),
    dead_letters: WholeNumber('The number of redacted dead letters.', 1),
  }),
  change: 'personal',
  heavy: true,
  refusals: ['driver_not_found', 'erasure_refused', 'fleet_moving'],
  async run(context, { fleet_id, driver_id, reason, keep_aggregates = false }) {
    if (!isText(driver_id)) throw new Refusal({ code: 'driver_not_found', fleet_id, driver_id: null });
    const movingTo = await findMoveOfFleet(context.directory, fleet_id);
    if (movingTo !== null) throw new Refusal({ code: 'fleet_moving', fleet_id, lane: movingTo });
    const home = await context.findLane((await findLaneOfFleet(context.directory, fleet_id)) ?? context.lane);
    const pool = home.pool(ROLES.eraser);
    const pseudonym = await engine.pseudonymOf(pool, fleet_id, driver_id);
    context.keep({ fleet_id, pseudonym, keep_aggregates, reason });
    const listLanes = async () => await listOtherLanes(context, home.number, fleet_id);
    // Nothing is erased if one of the lanes does not respond.
    const named = await Promise.all(
      (await listLanes()).map((lane) => engine.isNamedInLetters(lane.pool, fleet_id, driver_id)),
    );
    const request = { fleetId: fleet_id, driverId: driver_id, reason, keepAggregates: keep_aggregates };
    const wanted = { ...request, isNamedElsewhere: named.includes(true) };
    const refuse = (nothing: engine.NothingToErase) => {
      throw new Refusal({ code: 'erasure_refused', fleet_id, driver_id, reason: nothing });
    };
    const erased = await engine.eraseDriver(pool, PROJECTIONS, wanted).catch((error: unknown) => {
      if (!(error instanceof engine.NothingToEraseError)) throw error;
      return error.reason.code === 'unknown' ? refuse(error.reason) : error.reason;
    });
    // The fleet's lane comes first, because only that lane has all of the driver's trips. That lane keeps a list of the
    // trips, so an erasure that failed in another lane can be repeated.
    const trips = await engine.listErasedTrips(pool, fleet_id, pseudonym);
    let redacted = 0;
    let isRepeated = false;
    // Lists the lanes again, because a move that began before the erasure may have copied the driver's data. A move
    // that begins after the erasure is refused.
    for (const { pool: other, hasFleet } of await listLanes()) {
      const driverId = driver_id === pseudonym ? await engine.findInCopy(pool, other, fleet_id, pseudonym) : driver_id;
      try {
        const inLane = { ...request, driverId, trips, hasFleet, isNamedElsewhere: true };
        redacted += (await engine.eraseDriver(other, PROJECTIONS, inLane)).dead_letters;
        isRepeated = true;
      } catch (error) {
        if (!(error instanceof engine.NothingToEraseError)) throw error;
      }
    }
    if ('code' in erased && !isRepeated) refuse(erased);
    // An earlier erasure redacted the stored events in the fleet's lane, but failed in another lane.
    const earlier = { fleet_id, pseudonym, stored_events: 0, dead_letters: redacted };
    const answer =
      'code' in erased
        ? { ...earlier, position: erased.position, aggregates_kept: erased.code === 'aggregates_kept' }
        : { ...erased, dead_letters: erased.dead_letters + redacted };
    const { stored_events, dead_letters, position } = answer;
    const detail = `${stored_events} stored events and ${dead_letters} dead letters redacted, position ${position}`;
    return { answer, detail };
  },
});

export const preview = operation({
  name: 'drivers.preview',
  arguments: [],
  path: '/drivers/:fleet_id/:driver_id/erasure',
  summary: 'Preview an erasure',
  description: 'The number of trips and stored events that would be redacted if the driver were erased now.',
  input: Type.Object(driver),
  answer: Type.Object({
    trips: WholeNumber('The number of trips.', 59),
    stored_events: WholeNumber('The number of stored events.', 2),
  }),
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id }) {
    if (!isText(driver_id)) throw new Refusal({ code: 'driver_not_found', fleet_id, driver_id: null });
    return { answer: await engine.previewErasure(pool(ROLES.operator), fleet_id, driver_id) };
  },
});

export { listDrivers, listFleets };

export const operations = [listFleets, listDrivers, preview, erase, listErasures];
