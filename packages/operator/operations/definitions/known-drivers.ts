import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Beginning, FleetId, isText } from '../language/schemas.ts';

/** The maximum number of names in a list. To find a name that is not in the list, the user types a longer prefix. */
const MAX_NAMES = 50;

const HAS_TRIP = `event.kind = ${TRIP_PROCESSED} AND event.effective`;
const HAS_PROFILE = `event.kind = ${DRIVER_PROFILE}`;

/**
 * A query for the distinct values of a column that start with `$1`, in order. The query takes one step along an index
 * for each value (a loose index scan), whereas DISTINCT would read every stored event.
 *
 * @param condition selects the stored events in one index
 */
function distinctValues(column: 'fleet_id' | 'driver_id', condition: string): string {
  const first = (bound: string) =>
    `SELECT event.${column} FROM stored_event event WHERE ${condition} AND event.${column} ${bound}
     ORDER BY event.${column} LIMIT 1`;
  return `(WITH RECURSIVE found AS (
      (${first('>= $1')})
      UNION ALL SELECT (${first(`> found.${column}`)}) FROM found WHERE starts_with(found.${column}, $1))
    SELECT ${column} FROM found WHERE starts_with(${column}, $1) LIMIT ${MAX_NAMES})`;
}

const LIST_FLEETS = statement('list-fleets', { fleet_id: 'text' })`
  ${distinctValues('fleet_id', HAS_TRIP)} UNION ${distinctValues('fleet_id', HAS_PROFILE)}
  ORDER BY fleet_id LIMIT ${MAX_NAMES}`;

const LIST_DRIVERS = statement('list-drivers-of-fleet', { driver_id: 'text' })`
  ${distinctValues('driver_id', `${HAS_TRIP} AND event.fleet_id = $2`)}
  UNION ${distinctValues('driver_id', `${HAS_PROFILE} AND event.fleet_id = $2`)}
  ORDER BY driver_id LIMIT ${MAX_NAMES}`;

export const listFleets = operation({
  name: 'drivers.fleets',
  arguments: [],
  path: '/fleets',
  summary: 'List fleets',
  description: `The fleets with records in the event log, in alphabetical order, at most ${MAX_NAMES}.`,
  input: Type.Object({ beginning: Beginning }),
  answer: Type.Object({
    fleets: Type.Array(Type.String({ examples: ['sunrise-delivery'] }), { description: 'The ids of the fleets.' }),
  }),
  async run({ pool }, { beginning = '' }) {
    const rows = isText(beginning) ? await query(pool(ROLES.operator), LIST_FLEETS, [beginning]) : [];
    return { answer: { fleets: rows.map(({ fleet_id }) => fleet_id) } };
  },
});

export const listDrivers = operation({
  name: 'drivers.list',
  arguments: [],
  path: '/drivers/:fleet_id',
  summary: 'List the drivers of a fleet',
  description: `The drivers with records in the event log, in alphabetical order, at most ${MAX_NAMES}.`,
  input: Type.Object({ fleet_id: FleetId("the drivers' fleet"), beginning: Beginning }),
  answer: Type.Object({
    drivers: Type.Array(Type.String({ examples: ['driver-00001'] }), { description: 'The ids of the drivers.' }),
  }),
  async run({ pool }, { fleet_id, beginning = '' }) {
    const rows = isText(beginning) ? await query(pool(ROLES.operator), LIST_DRIVERS, [beginning, fleet_id]) : [];
    return { answer: { drivers: rows.map(({ driver_id }) => driver_id) } };
  },
});
