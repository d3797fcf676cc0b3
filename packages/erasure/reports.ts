import { json, number, present, type Statement, statement, type Transaction } from '@milepost/postgres';
import type { ErasedSubject } from '@milepost/projections/engine';
import { inSql, RESTING_PHASES } from '@milepost/replay';

/**
 * Work under way has read what is erased now, and would keep samples of it, or tell of it in an error: without its claim
 * it cannot, and whoever takes the replay next does the step anew.
 */
const TAKE_CLAIMS = statement('erasure-take-claims')`
  UPDATE projection.replay SET epoch = epoch + 1, lease_expires_at = NULL
  WHERE phase NOT IN ${inSql(RESTING_PHASES)}`;

const READ_VERIFICATIONS = statement('erasure-read-verifications', { id: number, report: present(json<object>()) })`
  SELECT replay_id AS id, verification AS report FROM projection.replay
  WHERE verification IS NOT NULL ORDER BY replay_id FOR UPDATE`;

const WRITE_VERIFICATION = statement('erasure-write-verification')`
  UPDATE projection.replay SET verification = $2 WHERE replay_id = $1`;

const READ_AUDITS = statement('erasure-read-audits', { id: number, report: json<object>() })`
  SELECT audit_id AS id, report FROM projection.audit WHERE NOT equal ORDER BY audit_id`;

const WRITE_AUDIT = statement('erasure-write-audit')`UPDATE projection.audit SET report = $2 WHERE audit_id = $1`;

/** Messages name the stored event that failed, and whose it is. */
const FORGET_ERRORS = statement('erasure-forget-errors')`
  WITH replay AS (
    UPDATE projection.replay SET error = 'Told of a driver who was erased.' WHERE position($1 IN error) > 0)
  UPDATE projection.generation SET failure = 'Told of a driver who was erased.' WHERE position($1 IN failure) > 0`;

/** Lists whose elements are looked into; what tells of somebody in any other list goes as a whole. */
const LOOKED_INTO = new Set(['tables']);
/** Fields that never tell of anybody, though a driver's id may be as short as a day of the month. */
const IMPERSONAL = new Set(['compared_at', 'cutoff', 'day', 'projection', 'check', 'started_at', 'at']);

function mentions(value: unknown, isPersonal: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isPersonal(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => !IMPERSONAL.has(name) && mentions(each, isPersonal));
}

/**
 * A report without the texts that are personal, and without the samples, faults and examples that hold one. Exported
 * for tests.
 */
export function withoutPersonal(value: unknown, isPersonal: (text: string) => boolean, list = ''): unknown {
  if (typeof value === 'string') return isPersonal(value) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.filter((element) => LOOKED_INTO.has(list) || !mentions(element, isPersonal));
    return kept.map((element) => withoutPersonal(element, isPersonal));
  }
  const fields = Object.entries(value).map(([name, field]) => {
    return [name, IMPERSONAL.has(name) ? field : withoutPersonal(field, isPersonal, name)];
  });
  return Object.fromEntries(fields);
}

/** Whether a text holds the driver's id, as it is or as JSON within the text writes it. */
function personalTo({ id }: ErasedSubject): (text: string) => boolean {
  const spellings = [id, JSON.stringify(id).slice(1, -1)];
  return (text) => spellings.some((spelling) => text.includes(spelling));
}

async function rewrite(transaction: Transaction, read: typeof READ_AUDITS, write: Statement, subject: ErasedSubject) {
  const isPersonal = personalTo(subject);
  for (const { id, report } of await transaction.rows(read)) {
    if (!mentions(report, isPersonal)) continue;
    await transaction.execute(write, [id, JSON.stringify(withoutPersonal(report, isPersonal))]);
  }
}

/** Takes what tells of the driver out of the reports and messages of replays; counts stay as they are. */
export async function eraseFromReplays(transaction: Transaction, subject: ErasedSubject): Promise<void> {
  await transaction.execute(TAKE_CLAIMS);
  await rewrite(transaction, READ_VERIFICATIONS, WRITE_VERIFICATION, subject);
  await transaction.execute(FORGET_ERRORS, [subject.id]);
}

/**
 * Takes what tells of the driver out of the audits that were kept; whether they found something stays.
 *
 * @param transaction in the eraser's role: for everybody else audits are append-only
 */
export async function eraseFromAudits(transaction: Transaction, subject: ErasedSubject): Promise<void> {
  await rewrite(transaction, READ_AUDITS, WRITE_AUDIT, subject);
}
