import { json, notNull, number, type Statement, statement, type Transaction, text } from '@milepost/postgres';
import type { ErasedSubject } from '@milepost/projections/engine';
import { inSql, RESTING_PHASES } from '@milepost/replay';
import { mentionsId } from './mentions.ts';

/**
 * A running replay has already read the erased data, and could store samples of it or quote it in an error. Without its
 * claim, the process that runs the replay cannot write. The next process that claims the replay repeats the step.
 */
const REVOKE_CLAIMS = statement('erasure-take-claims')`
  UPDATE replay SET epoch = epoch + 1, lease_expires_at = NULL
  WHERE phase NOT IN ${inSql(RESTING_PHASES)}`;

const READ_VERIFICATIONS = statement('erasure-read-verifications', { id: number, report: notNull(json<object>()) })`
  SELECT replay_id AS id, verification AS report FROM replay
  WHERE verification IS NOT NULL ORDER BY replay_id FOR UPDATE`;

const WRITE_VERIFICATION = statement('erasure-write-verification')`
  UPDATE replay SET verification = $2 WHERE replay_id = $1`;

const READ_AUDITS = statement('erasure-read-audits', { id: number, report: json<object>() })`
  SELECT audit_id AS id, report FROM audit WHERE NOT equal ORDER BY audit_id`;

const WRITE_AUDIT = statement('erasure-write-audit')`UPDATE audit SET report = $2 WHERE audit_id = $1`;

/** Messages name the stored event that failed, and include PostgreSQL's error, which may quote it. */
const READ_FAILURES = statement('erasure-read-failures', {
  projection: text,
  generation: number,
  message: notNull(text),
})`
  SELECT projection, generation, failure AS message FROM generation WHERE failure IS NOT NULL`;

const READ_ERRORS = statement('erasure-read-errors', { id: number, message: notNull(text) })`
  SELECT replay_id AS id, error AS message FROM replay WHERE error IS NOT NULL`;

const FIND_ERASED_POSITIONS = statement('erasure-find-erased-positions', { position: number })`
  SELECT position FROM stored_event WHERE position = ANY($1::bigint[]) AND erased IS NOT NULL`;

const CLEAR_FAILURES = statement('erasure-forget-failures')`
  UPDATE generation SET failure = 'The error named a driver who was erased.'
  FROM unnest($1::text[], $2::integer[]) AS personal (projection, generation)
  WHERE generation.projection = personal.projection AND generation.generation = personal.generation`;

const CLEAR_ERRORS = statement('erasure-forget-errors')`
  UPDATE replay SET error = 'The error named a driver who was erased.' WHERE replay_id = ANY($1::bigint[])`;

/**
 * Lists that keep all their elements: only personal strings are removed from each one. In all other lists, an element
 * that mentions the driver is removed.
 */
const REDACTED_BY_ELEMENT = new Set(['tables']);
/**
 * Fields that never contain personal data. A driver's id may be as short as a day of the month and match these fields
 * by chance.
 */
const IMPERSONAL = new Set(['compared_at', 'cutoff', 'day', 'projection', 'check', 'started_at', 'at']);

function mentions(value: unknown, isPersonal: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isPersonal(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => !IMPERSONAL.has(name) && mentions(each, isPersonal));
}

/**
 * Returns a report without personal strings, and without the samples, faults and examples that contain one. Exported
 * for tests.
 */
export function withoutPersonal(value: unknown, isPersonal: (text: string) => boolean, list = ''): unknown {
  if (typeof value === 'string') return isPersonal(value) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.filter((element) => REDACTED_BY_ELEMENT.has(list) || !mentions(element, isPersonal));
    return kept.map((element) => withoutPersonal(element, isPersonal));
  }
  const fields = Object.entries(value).map(([name, field]) => {
    return [name, IMPERSONAL.has(name) ? field : withoutPersonal(field, isPersonal, name)];
  });
  return Object.fromEntries(fields);
}

async function rewrite(transaction: Transaction, read: typeof READ_AUDITS, write: Statement, subject: ErasedSubject) {
  const isPersonal = mentionsId(subject.id);
  for (const { id, report } of await transaction.rows(read)) {
    if (!mentions(report, isPersonal)) continue;
    await transaction.execute(write, [id, JSON.stringify(withoutPersonal(report, isPersonal))]);
  }
}

const POSITION = /\bat position (\d+)/g;

/** Removes the messages that mention the driver, or that quote an error about an erased stored event. */
async function clearMessages(transaction: Transaction, { id }: ErasedSubject): Promise<void> {
  const failures = await transaction.rows(READ_FAILURES);
  const errors = await transaction.rows(READ_ERRORS);
  const positionsIn = (message: string) => [...message.matchAll(POSITION)].map(([, position]) => Number(position));
  const named = [...failures, ...errors].flatMap(({ message }) => positionsIn(message));
  const rows = await transaction.rows(FIND_ERASED_POSITIONS, [named]);
  const erased = new Set(rows.map(({ position }) => position));
  const isMentioned = mentionsId(id);
  const isPersonal = ({ message }: { message: string }) =>
    isMentioned(message) || positionsIn(message).some((position) => erased.has(position));
  const personal = failures.filter(isPersonal);
  await transaction.execute(CLEAR_FAILURES, [
    personal.map(({ projection }) => projection),
    personal.map(({ generation }) => generation),
  ]);
  await transaction.execute(CLEAR_ERRORS, [errors.filter(isPersonal).map((error) => error.id)]);
}

/** Removes personal data of the driver from the reports and messages of replays. Counts remain. */
export async function eraseFromReplays(transaction: Transaction, subject: ErasedSubject): Promise<void> {
  await transaction.execute(REVOKE_CLAIMS);
  await rewrite(transaction, READ_VERIFICATIONS, WRITE_VERIFICATION, subject);
  await clearMessages(transaction, subject);
}

/**
 * Removes personal data of the driver from the stored audits. Their verdicts remain.
 *
 * @param transaction a transaction that acts as the eraser role: audits are append-only for all other roles
 */
export async function eraseFromAudits(transaction: Transaction, subject: ErasedSubject): Promise<void> {
  await rewrite(transaction, READ_AUDITS, WRITE_AUDIT, subject);
}
