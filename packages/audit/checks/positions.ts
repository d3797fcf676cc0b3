import type { Statement, Transaction } from '@milepost/postgres';
import type { AuditFault } from '../report.ts';
import { faultOf } from './fault.ts';

const MOST_GAPS = 20;

const COUNT_POSITIONS: Statement = {
  name: 'audit-count-positions',
  text: `SELECT count(*) AS stored_events, coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last
         FROM log.stored_event`,
};

const FIND_GAPS: Statement = {
  name: 'audit-find-gaps',
  text: `SELECT before + 1 AS first, position - 1 AS last FROM (
           SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM log.stored_event) placed
         WHERE position > before + 1 ORDER BY position LIMIT ${MOST_GAPS}`,
};

/** Checks that positions are 1, 2, 3, ... up to the head. */
export async function checkPositions(transaction: Transaction, headPosition: number): Promise<AuditFault[]> {
  const [counted] = await transaction.rows<{ stored_events: number; first: number; last: number }>(COUNT_POSITIONS);
  if (!counted) return [];
  const faults: AuditFault[] = [];
  const { stored_events, first, last } = counted;
  if (last !== headPosition) {
    const detail = `The head of the log says position ${headPosition}, and the last stored event is at ${last}.`;
    faults.push(faultOf('log_positions', null, detail));
  }
  if (first !== 1 || stored_events !== last) {
    const gaps = await transaction.rows<{ first: number; last: number }>(FIND_GAPS);
    const named = gaps.map((gap) => (gap.first === gap.last ? `${gap.first}` : `${gap.first} to ${gap.last}`));
    const detail = `The log has ${stored_events} stored events up to position ${last}: there is none at ${named.join(', ')}.`;
    faults.push(faultOf('log_positions', null, detail));
  }
  return faults;
}
