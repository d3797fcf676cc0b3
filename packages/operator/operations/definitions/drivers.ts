import * as engine from '@milepost/erasure';
import { ROLES } from '@milepost/postgres';
import { findLaneOfFleet, findMoveOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import { PROJECTIONS } from '@milepost/projections';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { driver, Flag, isText, Reason, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { listErasures } from './erasures.ts';
import { listDrivers, listFleets } from './known-drivers.ts';

/** The rule for `reason` ignores shorter ids, because they may be part of a word. */
const MIN_SEARCHED_ID_CHARACTERS = 4;

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
    const { directory, findLane } = context;
    const movingTo = await findMoveOfFleet(directory, fleet_id);
    if (movingTo !== null) throw new Refusal({ code: 'fleet_moving', fleet_id, lane: movingTo });
    const home = await findLane((await findLaneOfFleet(directory, fleet_id)) ?? context.lane);
    const pseudonym = await engine.pseudonymOf(home.pool(ROLES.eraser), fleet_id, driver_id);
    context.recordParameters({ fleet_id, pseudonym, keep_aggregates, reason });
    const lanes = { directory, home, findLane };
    const erasure = { fleetId: fleet_id, driverId: driver_id, reason, keepAggregates: keep_aggregates };
    const answer = await engine.eraseInLanes(lanes, PROJECTIONS, erasure, pseudonym).catch((error: unknown) => {
      if (!(error instanceof engine.NothingToEraseError)) throw error;
      throw new Refusal({ code: 'erasure_refused', fleet_id, driver_id, reason: error.reason });
    });
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
