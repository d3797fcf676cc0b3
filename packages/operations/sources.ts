import { query, ROLES, statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { columnsOf, isText } from './schemas.ts';

const AcceptedSource = Type.Object({
  topic: Type.String(),
  partition: Type.Integer(),
  abandoned_offset: Type.Integer({ description: 'Where it would have gone on.' }),
  next_offset: Type.Integer({ description: 'Where it goes on; 0 also stands for the oldest record there is.' }),
});

/** The higher epoch shuts out whoever has claimed the source; the claim after it begins where the row says. */
const ACCEPT_SOURCE = statement('accept-source', columnsOf(AcceptedSource))`
  UPDATE log.source
  SET next_offset = $3, epoch = epoch + 1, last_offset = NULL, last_timestamp = NULL, last_hash = NULL,
      fault = NULL, fault_at = NULL, stopped = false
  WHERE topic = $1 AND partition = $2 AND fault IS NOT NULL
  RETURNING topic, partition, old.next_offset AS abandoned_offset, new.next_offset`;

/** What came of it, for the audit trail and for who asked. */
export function acceptedInWords(accepted: Static<typeof AcceptedSource>): string {
  const { topic, partition, abandoned_offset, next_offset } = accepted;
  return `${topic}/${partition} goes on at offset ${next_offset} instead of ${abandoned_offset}`;
}

export const acceptSource = operation({
  name: 'sources.accept',
  path: '/sources/:topic/:partition/accept',
  summary: 'Accept a source',
  description:
    'Has a partition that stands still, or cannot be read, go on elsewhere, and so accepts that what lies between is never read. The status shows such partitions, with the cause. Ingest goes on within seconds; it stops again if the broker does not hold the offset.',
  input: Type.Object({
    topic: Type.String({ description: 'the name of a topic.' }),
    partition: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'a partition of the topic.' }),
    from: Type.Union([Type.Literal('beginning'), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], {
      description: '"beginning", for the oldest record that the broker holds, or an offset.',
    }),
  }),
  answer: AcceptedSource,
  change: 'recorded',
  refusals: ['source_refused'],
  async run({ pool, mention }, { topic, partition, from }) {
    // What was never read begins at the oldest record: 0 stands for that.
    const values = [topic, partition, from === 'beginning' ? 0 : from];
    const [accepted] = isText(topic) ? await query(pool(ROLES.operator), ACCEPT_SOURCE, values) : [];
    if (accepted) return { answer: accepted, detail: acceptedInWords(accepted) };
    const source = partition < 0 ? topic : `${topic}/${partition}`;
    const shown = mention.operation('status');
    throw new Refusal('source_refused', `${source} does not stand still: ${shown} shows the sources that do.`);
  },
});

export const operations = [acceptSource];
