import { query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { columnsOf, Moment, Named, nullable, OneOf, Text, WholeNumber } from '../language/schemas.ts';

/** The maximum number of erasures per lane in the list. */
const MAX_ERASURES = 100;

const cleanup = {
  fleet_id: Text("The driver's fleet.", 'sunrise-delivery'),
  erased_at: Moment('The time of the erasure.'),
  old_versions: OneOf(
    ['pending', 'removed', 'refused'],
    "Whether PostgreSQL's files still contain the old versions of the redacted rows. `pending`: yes, usually because a transaction from before the end of the erasure is still running. `refused`: yes, because the worker's login is not allowed to vacuum a table.",
    'removed',
  ),
  removed_at: nullable(Moment('The time at which the old versions were removed; null while they still exist.')),
  fault: nullable(
    Text(
      'The reason for `refused`, and the remedy; null otherwise.',
      'This login is not allowed to vacuum stored_event: ask the owner of the database to run `VACUUM (INDEX_CLEANUP ON, ANALYZE)`.',
    ),
  ),
};

const Erasure = Named('Erasure', { lane: WholeNumber('The lane whose rows were redacted.', 0), ...cleanup });

const LIST_CLEANUPS = statement('list-cleanups', columnsOf(Type.Object(cleanup)))`
  SELECT fleet_id, requested_at AS erased_at,
    CASE WHEN cleaned_at IS NOT NULL THEN 'removed' WHEN fault IS NOT NULL THEN 'refused' ELSE 'pending' END AS old_versions,
    cleaned_at AS removed_at, fault
  FROM cleanup ORDER BY cleanup_id DESC LIMIT ${MAX_ERASURES}`;

export const listErasures = operation({
  name: 'drivers.erasures',
  path: '/erasures',
  summary: 'List erasures',
  description: `The latest ${MAX_ERASURES} erasures in each lane, newest first, and whether the old versions of the redacted rows are still in PostgreSQL's files. After each erasure, the worker removes the old versions with VACUUM. An erasure that covers several lanes appears once for each lane. Without a lane, the response covers all lanes.`,
  input: Type.Object({}),
  answer: Type.Object({ erasures: Type.Array(Erasure, { description: 'The erasures, lane by lane.' }) }),
  async run({ lanes }) {
    const erasures = [];
    for (const { number: lane, pool } of await lanes()) {
      const rows = await query(pool(ROLES.operator), LIST_CLEANUPS);
      erasures.push(...rows.map((row) => ({ lane, ...row })));
    }
    return { answer: { erasures } };
  },
});
