import { query, statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { columnsOf, Moment, Named, nullable, OneOf, pagesOf, Text, WholeNumber } from '../language/schemas.ts';

const PAGES = pagesOf(1_000, 100);

/** An entry of the audit trail. */
export const RecordedOperation = Named('RecordedOperation', {
  id: WholeNumber('The id of the entry.', 12),
  at: Moment('The time of the operation.'),
  actor: Text(
    'The value of the `Milepost-Operator` header, or `ops-token` without that header; for a command, the operating-system user.',
    'ops-token',
  ),
  via: OneOf(['http', 'cli'], 'The client: a request over HTTP, or a command.'),
  action: Text('The operation, such as `keys.create`.', 'keys.create'),
  parameters: Type.Object({}, { description: 'The input of the operation.' }),
  outcome: OneOf(
    ['done', 'refused', 'failed'],
    '`refused`: the request was wrong, and nothing changed. `failed`: an error occurred.',
  ),
  detail: nullable(
    Text(
      'The reason for a refusal or failure, or the result, such as the id of a replay; null when there is nothing to report.',
      'key_1a2b3c4d',
    ),
  ),
});

const LIST_OPERATIONS = statement('list-operations', columnsOf(RecordedOperation))`
  SELECT operator_action_id AS id, at, actor, via, action, parameters, outcome, detail FROM operator_action
  WHERE operator_action_id < coalesce($1, 9223372036854775807) ORDER BY operator_action_id DESC LIMIT $2`;

/** Exported for tests. */
export const listOperations = operation({
  name: 'operations.list',
  path: '/operations',
  summary: 'List operations',
  shared: true,
  description: 'The audit trail: every change with its actor, time and outcome, newest first.',
  input: Type.Object(PAGES.inputs),
  answer: Type.Object({
    operations: Type.Array(RecordedOperation, { description: 'The entries, newest first.' }),
    next_before: PAGES.next_before,
  }),
  async run({ directory }, page) {
    const { entries, next_before } = await PAGES.read(page, async (limit, before) => {
      return await query(directory, LIST_OPERATIONS, [before, limit]);
    });
    return { answer: { operations: entries, next_before } };
  },
});

export const operations = [listOperations];
