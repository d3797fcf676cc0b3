import { Readable } from 'node:stream';
import { openRecord } from '@milepost/dead-letters';
import { showDeadLetter } from '@milepost/operations/dead-letters';
import { operation } from '@milepost/operations/operation';
import { Refusal } from '@milepost/operations/refusal';
import { ROLES } from '@milepost/postgres';
import Type from 'typebox';

/** Streams a record chunk by chunk, because a record may be hundreds of megabytes in size. */
export const downloadRecord = operation({
  name: 'dead-letters.record',
  path: `${showDeadLetter.path}/record`,
  summary: 'Download the record of a dead letter',
  description:
    'All bytes of the record. The response is empty when the record had no value, or when its driver was erased.',
  input: showDeadLetter.input,
  answer: Type.Unsafe<Readable>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  statuses: [[200, 'The record, byte for byte.']],
  secret: true,
  refusals: ['dead_letter_not_found'],
  async run({ pool }, { id }) {
    const record = await openRecord(pool(ROLES.operator), id);
    if (record === null) throw new Refusal({ code: 'dead_letter_not_found', id });
    return {
      answer: Readable.from(record.chunks, { objectMode: false }),
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="dead-letter-${id}"`,
        'content-length': record.byteLength,
      },
    };
  },
});
