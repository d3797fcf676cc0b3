import { ROLES, type Statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { driver, isText } from '../schemas.ts';

const Preview = Type.Object({ trips: Type.Integer(), stored_events: Type.Integer() });

/** The conditions on kind and effect are those of indexes: without them the whole log would be read. */
const COUNT_WHAT_GOES: Statement = {
  name: 'count-what-an-erasure-redacts',
  text: `WITH own AS (
           SELECT event.kind, event.trip_id FROM log.stored_event event WHERE event.fleet_id = $1 AND event.driver_id = $2
             AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective) OR event.kind = 3)),
         trip AS (SELECT DISTINCT trip_id FROM own WHERE kind = 1)
         SELECT (SELECT count(*) FROM trip) AS trips,
           (SELECT count(*) FROM own)
             + (SELECT count(*) FROM log.stored_event deletion JOIN trip USING (trip_id) WHERE deletion.kind = 2
                AND (SELECT newest.driver_id FROM log.stored_event newest
                  WHERE newest.trip_id = trip.trip_id AND newest.kind = 1 ORDER BY newest.revision DESC LIMIT 1) = $2)
           AS stored_events`,
};

export const previewErasure = operation({
  name: 'drivers.preview',
  arguments: [],
  method: 'GET',
  path: '/drivers/:fleet_id/:driver_id/erasure',
  tag: 'Drivers',
  summary: 'Preview an erasure',
  description: 'How many trips and stored events the erasure of a driver would redact as things stand.',
  input: Type.Object(driver),
  answer: Preview,
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id }) {
    if (!isText(driver_id)) throw new Refusal('driver_not_found', 'No record can have such an id.');
    const values = [fleet_id, driver_id];
    const { rows } = await pool(ROLES.operator).query<Static<typeof Preview>>({ ...COUNT_WHAT_GOES, values });
    return { answer: rows[0] ?? { trips: 0, stored_events: 0 } };
  },
});
