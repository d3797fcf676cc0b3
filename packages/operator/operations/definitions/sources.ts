import { query, ROLES, statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { columnsOf, isText, Text, WholeNumber } from '../language/schemas.ts';

const AcceptedSource = Type.Object({
  topic: Text('The topic, or `file:` followed by the file name.', 'milepost.trips'),
  partition: WholeNumber('The partition of the topic; for a file, the number of the run that read it.', 0),
  abandoned_offset: WholeNumber('The offset at which the source would have continued.', 1500),
  next_offset: WholeNumber('The offset at which the source continues; 0 means the oldest available record.', 1500),
});

/**
 * The higher epoch fences off the process that has claimed the source. The next claim starts at the row's offset.
 * Before PostgreSQL 18, RETURNING cannot return a column's old value, so a subquery locks and reads the row first.
 */
const ACCEPT_SOURCE = statement('accept-source', columnsOf(AcceptedSource))`
  UPDATE log_source source
  SET next_offset = $3, epoch = epoch + 1, last_offset = NULL, last_timestamp = NULL, last_hash = NULL,
      fault = NULL, fault_at = NULL, stopped = false
  FROM (
    SELECT source_id, next_offset FROM log_source WHERE topic = $1 AND partition = $2 AND fault IS NOT NULL FOR UPDATE
  ) former
  WHERE source.source_id = former.source_id
  RETURNING source.topic, source.partition, former.next_offset AS abandoned_offset, source.next_offset`;

/** Returns the result for the audit trail and for the operator. */
export function acceptedInWords(accepted: Static<typeof AcceptedSource>): string {
  const { topic, partition, abandoned_offset, next_offset } = accepted;
  return `${topic}/${partition} continues at offset ${next_offset} instead of ${abandoned_offset}`;
}

export const acceptSource = operation({
  name: 'sources.accept',
  path: '/sources/:topic/:partition/accept',
  summary: 'Accept a source',
  description:
    'Lets ingest continue at another offset in a partition that has stopped or cannot be read. The records between the two offsets are never read. The status shows such partitions with the cause. Ingest continues within seconds. The partition stops again if the broker does not have this offset.',
  input: Type.Object({
    topic: Text('the name of a topic.', 'milepost.trips'),
    partition: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'a partition of the topic.' }),
    from: Type.Union([Type.Literal('beginning'), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], {
      description: '"beginning", for the oldest record that the broker holds, or an offset.',
    }),
  }),
  answer: AcceptedSource,
  change: 'recorded',
  refusals: ['source_refused'],
  async run({ pool }, { topic, partition, from }) {
    // 0 means the oldest record.
    const values = [topic, partition, from === 'beginning' ? 0 : from];
    const [accepted] = isText(topic) ? await query(pool(ROLES.operator), ACCEPT_SOURCE, values) : [];
    if (accepted) return { answer: accepted, detail: acceptedInWords(accepted) };
    throw new Refusal({ code: 'source_refused', topic, partition });
  },
});

export const operations = [acceptSource];
