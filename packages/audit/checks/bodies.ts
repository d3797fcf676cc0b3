import type { Statement, Transaction } from '@milepost/postgres';
import type { AuditFault } from '../report.ts';
import { nameStoredEvents } from '../sql/name-stored-events.ts';
import { faultOf } from './fault.ts';

const MOST_SAMPLES = 20;

/** Of the bodies, most of the log, the key alone is needed. */
const FIND_BODILESS: Statement = {
  name: 'audit-find-bodiless',
  text: `SELECT event.position, count(*) OVER () AS found FROM log.stored_event event
         WHERE event.kind = 1 AND NOT EXISTS (SELECT FROM log.trip_body body WHERE body.position = event.position)
         ORDER BY event.position LIMIT ${MOST_SAMPLES}`,
};

/** Checks that every processed trip has its body. */
export async function checkBodies(transaction: Transaction): Promise<AuditFault[]> {
  const missing = await transaction.rows<{ position: number; found: number }>(FIND_BODILESS);
  const found = missing[0]?.found ?? 0;
  if (found === 0) return [];
  const positions = missing.map(({ position }) => position);
  const more = found > positions.length ? ` and ${found - positions.length} more` : '';
  const detail = `Processed trips have no body in the log: positions ${positions.join(', ')}${more}.`;
  return [faultOf('missing_body', null, detail, await nameStoredEvents(transaction, positions))];
}
