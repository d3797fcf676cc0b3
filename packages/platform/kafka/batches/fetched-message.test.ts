import { keptOf } from '@milepost/event-log';
import { describe, expect, it } from 'vitest';
import { refusalOf, restOf } from './fetched-message.ts';

const CONTEXT = {
  ...{ magicByte: 2, attributes: 0, timestamp: '9', headers: {}, isControlRecord: false },
  batchContext: { producerId: '-1', inTransaction: false },
};
const LIMIT = 1024 * 1024 + 4096;

function refused(from: number, packed: Buffer, records: number | null = 3) {
  const batch = { codec: 'gzip', packed, firstOffset: 5, lastOffset: 9 } as const;
  return restOf(batch, { reason: 'batch_unreadable', from, records, cause: 'It is corrupt.' }, CONTEXT);
}

describe('the refused rest of a batch', () => {
  it('is one message at the last offset, after a control record at the first refused offset', () => {
    const messages = refused(7, Buffer.from('packed'));
    expect(messages.map(({ offset, isControlRecord, value }) => [offset, isControlRecord, value])).toEqual([
      ['7', true, null],
      ['9', false, Buffer.from('packed')],
    ]);
    expect(messages.map((message) => refusalOf(message)?.message)).toEqual([
      undefined,
      '3 of its records, from offset 7 on, cannot be read: It is corrupt. It is a batch of offsets 5 to 9 in 6 bytes of gzip. The compressed records are kept.',
    ]);
  });

  it('is its last message alone when nothing else is refused', () => {
    expect(refused(9, Buffer.from('x'), null).map(({ offset, isControlRecord }) => [offset, isControlRecord])).toEqual([
      ['9', false],
    ]);
  });

  it('keeps its bytes up to a limit, as a copy that does not change with the response of the broker', () => {
    const packed = Buffer.alloc(LIMIT, 1);
    const [kept] = refused(9, packed);
    packed.fill(2);
    expect(kept?.value?.equals(Buffer.alloc(LIMIT, 1))).toBe(true);
    const [dropped] = refused(9, Buffer.alloc(LIMIT + 1));
    expect(dropped?.value).toBeNull();
    expect(refusalOf(dropped ?? {})?.message).toMatch(/Its bytes are not kept\.$/);
  });
});

it('keptOf keeps a record of 32 MiB whole, and only the beginning of a longer one', () => {
  const whole = 32 * 1024 * 1024;
  expect([0, whole, whole + 1].map(keptOf)).toEqual([0, whole, 64 * 1024]);
});
