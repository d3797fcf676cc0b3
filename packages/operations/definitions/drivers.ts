import {
  eraseDriver,
  eraseLettersAbout,
  listSourceTripIds,
  type NothingToErase,
  NothingToEraseError,
  previewErasure,
  pseudonymOf,
} from '@milepost/erasure';
import { ROLES } from '@milepost/postgres';
import { findMoveOfFleet, listLanesOfFleet } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import Type from 'typebox';
import { type OperationContext, operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { driver, Flag, isText, Reason, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { listDrivers, listFleets } from './known-drivers.ts';

/** The rule for `reason` ignores shorter ids, because they may be part of a word. */
const MIN_SEARCHED_ID_CHARACTERS = 4;

/**
 * Redacts the dead letters of lane 0 about a driver of another lane: they named no fleet, or several. Returns their
 * number.
 */
async function eraseFromFirstLane(
  { pool, lane, firstLane }: OperationContext,
  fleetId: string,
  driverId: string,
  includesUnclear: boolean,
): Promise<number> {
  if (lane === firstLane.number) return 0;
  const sourceTripIds = await listSourceTripIds(pool(ROLES.eraser), fleetId, driverId);
  return await eraseLettersAbout(firstLane.pool(ROLES.eraser), { fleetId, driverId, sourceTripIds }, includesUnclear);
}

type EraseRequest = Parameters<typeof eraseDriver>[2];

/**
 * Erases a driver in lanes that the fleet has left, or to which it began to move. These lanes keep their copies of the
 * fleet. Returns the number of redacted dead letters and stored events.
 */
async function eraseFromCopies(
  { findLane }: OperationContext,
  lanes: readonly number[],
  request: EraseRequest,
): Promise<number> {
  let redacted = 0;
  for (const number of lanes) {
    const { pool } = await findLane(number);
    try {
      const { stored_events, dead_letters } = await eraseDriver(pool(ROLES.eraser), PROJECTIONS, request);
      redacted += stored_events + dead_letters;
    } catch (error) {
      if (!(error instanceof NothingToEraseError)) throw error;
    }
  }
  return redacted;
}

export const erase = operation({
  name: 'drivers.erase',
  arguments: [],
  path: '/drivers/:fleet_id/:driver_id/erasure',
  summary: 'Erase a driver',
  description:
    "Removes the person permanently. Names, email, alias, the driver's id, coordinates, paths and trip events are removed from the log, from every read table and from the dead letters of the fleet's lane, of its former lanes and of lane 0. A pseudonym replaces the id. Later records about the driver are refused. The erasure cannot be undone. Backups, the write-ahead log and the Kafka topic keep the data until they expire. While the erasure runs, usually well under a second, nothing is stored or projected, but reads continue. The audit trail contains only the pseudonym.",
  input: Type.Object({
    ...driver,
    reason: Reason('1 to 1,000 characters: the reason. It is kept permanently, so it must not name the person.'),
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
    const pool = context.pool(ROLES.eraser);
    const pseudonym = await pseudonymOf(pool, fleet_id, driver_id);
    context.keep({ fleet_id, pseudonym, keep_aggregates, reason });
    // This precedes the erasure, which removes the ids of the trips that identify these dead letters.
    const before = await eraseFromFirstLane(context, fleet_id, driver_id, false);
    const request = { fleetId: fleet_id, driverId: driver_id, reason, keepAggregates: keep_aggregates };
    // This precedes the erasure of the fleet's lane: if a former lane fails, the operator can repeat the whole erasure.
    const listCopies = async () =>
      (await listLanesOfFleet(context.directory, fleet_id)).filter((lane) => lane !== context.lane);
    const inCopies = await eraseFromCopies(context, await listCopies(), request);
    const wanted = { ...request, isNamedElsewhere: before + inCopies > 0 };
    const refuse = (nothing: NothingToErase) => {
      throw new Refusal({ code: 'erasure_refused', fleet_id, driver_id, reason: nothing });
    };
    const erased = await eraseDriver(pool, PROJECTIONS, wanted).catch((error: unknown) => {
      if (!(error instanceof NothingToEraseError)) throw error;
      return error.reason.code === 'unknown' ? refuse(error.reason) : error.reason;
    });
    const redacted = before + (await eraseFromFirstLane(context, fleet_id, driver_id, true));
    // A move that began in the meantime may have copied records of the driver before the erasure, even to a lane that
    // had none of them. Afterwards, each lane of the fleet refuses such records.
    await eraseFromCopies(context, await listCopies(), { ...request, isNamedElsewhere: true });
    if ('code' in erased && redacted + inCopies === 0) refuse(erased);
    // An earlier erasure removed everything but dead letters of lane 0.
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
  description: 'The number of trips and stored events that the erasure of a driver would redact now.',
  input: Type.Object(driver),
  answer: Type.Object({
    trips: WholeNumber('The number of trips.', 59),
    stored_events: WholeNumber('The number of stored events.', 2),
  }),
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id }) {
    if (!isText(driver_id)) throw new Refusal({ code: 'driver_not_found', fleet_id, driver_id: null });
    return { answer: await previewErasure(pool(ROLES.operator), fleet_id, driver_id) };
  },
});

export { listDrivers, listFleets };

export const operations = [listFleets, listDrivers, preview, erase];
