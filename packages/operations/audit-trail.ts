import { execute, type Pool, query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from './operation.ts';
import { REFUSALS, Refusal } from './refusal.ts';
import { columnsOf, nextBefore, nullable, pageInputs, pageOf, Time } from './schemas.ts';

const LONGEST_BYTES = 8_192;
const KEPT_CHARACTERS = 2_000;

/** Escapes for U+0000 and for halves of surrogate pairs: valid JSON, and nothing that jsonb takes. */
const NO_TEXT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll(NO_TEXT, '\\ufffd');
}

/** Parameters as JSON that jsonb takes whatever was sent, bounded in length. Exported for tests. */
export function parametersJson(parameters: object): string {
  const whole = json(parameters);
  if (Buffer.byteLength(whole) <= LONGEST_BYTES) return whole;
  return json({ truncated: JSON.stringify(parameters).slice(0, KEPT_CHARACTERS) });
}

type Via = 'http' | 'cli';
/** refused: the request was wrong, and nothing changed; failed: it broke on the way. */
type Outcome = 'done' | 'refused' | 'failed';

/** What somebody sets out to do. */
interface Attempt {
  /** A person or program, 1 to 128 characters. */
  actor: string;
  via: Via;
  /** What is asked for, such as `keys.create`. */
  action: string;
  /** What it was asked for with; never a secret. */
  parameters: object;
}

export interface OperationResult {
  outcome: Outcome;
  /** Why it was refused or failed, one sentence; of what was done, what came of it, where there is something to say. */
  detail: string | null;
}

const LONGEST_DETAIL = 1_000;

const RECORD_OPERATION = statement('record-operation')`
  INSERT INTO access.operation (actor, via, action, parameters, outcome, detail)
  VALUES ($1, $2, $3, $4::jsonb, $5, $6)`;

/**
 * Adds one operation to the audit trail. On its own, not in the transaction of the operation: what fails has to leave a
 * trace too. Parameters of more than 8 kB are kept as their beginning, under `truncated`.
 */
export async function recordOperation(
  pool: Pool,
  { actor, via, action, parameters }: Attempt,
  { outcome, detail }: OperationResult,
): Promise<void> {
  const said = detail?.replaceAll('\0', '').slice(0, LONGEST_DETAIL) ?? null;
  await execute(pool, RECORD_OPERATION, [actor, via, action, parametersJson(parameters), outcome, said]);
}

/**
 * Runs `work` and records what came of it: done when it resolves; refused or failed, with its message, when it throws,
 * which is passed on. Throws too when the record of what was done cannot be written, as nobody would ever learn of it.
 *
 * @param describe what came of it, a few words for the audit trail; never a secret
 */
export async function recorded<Result>(
  pool: Pool,
  attempt: Attempt,
  work: () => Promise<Result>,
  describe: (result: Result) => string | null = () => null,
): Promise<Result> {
  const result = await work().catch(async (error: unknown) => {
    const outcome = error instanceof Refusal && REFUSALS[error.code].status < 500 ? 'refused' : 'failed';
    const detail = error instanceof Error ? error.message : String(error);
    // The first error says more than that of a database which is away.
    await recordOperation(pool, attempt, { outcome, detail }).catch(() => {});
    throw error;
  });
  await recordOperation(pool, attempt, { outcome: 'done', detail: describe(result) });
  return result;
}

const USUAL = 100;

const RecordedOperation = Type.Object(
  {
    id: Type.Integer(),
    at: Time,
    actor: Type.String({
      description: 'The header `Milepost-Operator`, else `ops-token`; of a command, the user of the operating system.',
    }),
    via: Type.Enum(['http', 'cli']),
    action: Type.String({ description: 'What was asked for, such as `keys.create`.' }),
    parameters: Type.Object({}, { description: 'What it was asked for with.' }),
    outcome: Type.Enum(['done', 'refused', 'failed'], {
      description: '`refused`: the request was wrong, and nothing changed. `failed`: it broke on the way.',
    }),
    detail: nullable(
      Type.String({
        description:
          'Why it was refused or failed; of what was done, what came of it, such as the id of a replay, or null.',
      }),
    ),
  },
  { $id: 'RecordedOperation' },
);

const LIST_OPERATIONS = statement('list-operations', columnsOf(RecordedOperation))`
  SELECT operation_id AS id, at, actor, via, action, parameters, outcome, detail FROM access.operation
  WHERE operation_id < coalesce($1, 9223372036854775807) ORDER BY operation_id DESC LIMIT $2`;

/** Exported for tests. */
export const listOperations = operation({
  name: 'operations.list',
  path: '/operations',
  summary: 'List operations',
  description: 'The audit trail: who changed what, when, and what came of it. Newest first.',
  input: Type.Object(pageInputs(1_000, USUAL)),
  answer: Type.Object({ operations: Type.Array(RecordedOperation), next_before: nextBefore }),
  async run({ pool }, { limit = USUAL, before = null }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await query(pool(ROLES.operator), LIST_OPERATIONS, [before, most]);
    });
    return { answer: { operations: entries, next_before } };
  },
});

export const operations = [listOperations];
