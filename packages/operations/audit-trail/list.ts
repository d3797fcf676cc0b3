import { ROLES, type Statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { nextBefore, nullable, pageInputs, pageOf, Time } from '../schemas.ts';

const USUAL = 100;

const RecordedOperation = Type.Object({
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
});

const LIST_OPERATIONS: Statement = {
  name: 'list-operations',
  text: `SELECT operation_id AS id, at, actor, via, action, parameters, outcome, detail FROM access.operation
         WHERE operation_id < coalesce($1, 9223372036854775807) ORDER BY operation_id DESC LIMIT $2`,
};

export const listOperations = operation({
  name: 'operations.list',
  method: 'GET',
  path: '/operations',
  tag: 'Operations',
  summary: 'List operations',
  description: 'The audit trail: who changed what, when, and what came of it. Newest first.',
  input: Type.Object(pageInputs(1_000, USUAL)),
  answer: Type.Object({ operations: Type.Array(RecordedOperation), next_before: nextBefore }),
  async run({ pool }, { limit = USUAL, before = null }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      const values = [before, most];
      return (await pool(ROLES.operator).query<Static<typeof RecordedOperation>>({ ...LIST_OPERATIONS, values })).rows;
    });
    return { answer: { operations: entries, next_before } };
  },
});
