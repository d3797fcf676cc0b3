import { execute, type Pool, statement } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import type { Static } from 'typebox';
import type { RecordedOperation } from './definitions/recorded-operations.ts';

const MAX_PARAMETERS_BYTES = 8_192;
const MAX_TRUNCATED_CHARACTERS = 2_000;

/** Escapes for U+0000 and for halves of surrogate pairs, which are valid in JSON but not accepted by jsonb. */
const NO_TEXT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

function encode(value: unknown): string {
  return JSON.stringify(value).replaceAll(NO_TEXT, '\\ufffd');
}

/** Encodes parameters as JSON of a limited length that jsonb accepts. Exported for tests. */
export function parametersJson(parameters: object): string {
  const whole = encode(parameters);
  if (Buffer.byteLength(whole) <= MAX_PARAMETERS_BYTES) return whole;
  return encode({ truncated: JSON.stringify(parameters).slice(0, MAX_TRUNCATED_CHARACTERS) });
}

type Entry = Static<typeof RecordedOperation>;

/** An attempted change. The actor has 1 to 128 characters, and the parameters never contain a secret. */
interface Attempt extends Pick<Entry, 'actor' | 'via' | 'action'> {
  parameters: object;
  /** The lane of the change, which is stored among the parameters unless it is the first one. */
  lane?: number;
}

/** What became of an attempt. The detail is one sentence. */
export type Outcome = Pick<Entry, 'outcome' | 'detail'>;

const MAX_DETAIL_CHARACTERS = 1_000;

const RECORD_OPERATION = statement('record-operation')`
  INSERT INTO operator_action (actor, via, action, parameters, outcome, detail)
  VALUES ($1, $2, $3, $4::jsonb, $5, $6)`;

/**
 * Adds an operation to the audit trail after it has ended. Uses a separate transaction, because the trail must also
 * contain failed operations and the directory may be on another server. When the parameters exceed 8 kB, only their
 * beginning is stored, under `truncated`.
 */
export async function recordOperation(
  directory: Pool,
  { actor, via, action, parameters, lane = FIRST_LANE }: Attempt,
  { outcome, detail }: Outcome,
): Promise<void> {
  const json = parametersJson(lane === FIRST_LANE ? parameters : { ...parameters, lane });
  const recordedDetail = detail?.replaceAll('\0', '').slice(0, MAX_DETAIL_CHARACTERS) ?? null;
  await execute(directory, RECORD_OPERATION, [actor, via, action, json, outcome, recordedDetail]);
}
