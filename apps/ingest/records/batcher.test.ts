import type { PreparedRecord } from '@milepost/event-log';
import { describe, expect, it } from 'vitest';
import { RecordBatcher } from './batcher.ts';

/** Records in a full batch. */
const FULL = 500;

const READ: PreparedRecord = {
  storable: false,
  refusal: { reason: 'null_value', field: null, message: 'The record has no value.' },
  named: 'unclear',
};
const reader = { read: async (raws: readonly unknown[]) => raws.map(() => READ) };

/** Lets everything run that does not wait for a promise of this test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('batches of a source', () => {
  it('are stored one after the other, every record once and in order', async () => {
    const stored: [offsets: number[], nextOffset: number][] = [];
    let storing = 0;
    const batcher = new RecordBatcher(reader, async (records, nextOffset) => {
      storing += 1;
      expect(storing).toBe(1);
      await settled();
      stored.push([records.map((record) => record.offset), nextOffset]);
      storing -= 1;
    });
    const offsets = Array.from({ length: 3 * FULL + 7 }, (_, index) => 10 + 2 * index);
    for (const offset of offsets) await batcher.add(offset, null);
    await batcher.flush();
    expect(stored.flatMap(([some]) => some)).toEqual(offsets);
    expect(stored.map(([some]) => some.length)).toEqual([FULL, FULL, FULL, 7]);
    expect(stored.map(([some, nextOffset]) => nextOffset - (some.at(-1) ?? 0))).toEqual([1, 1, 1, 1]);
  });

  it('hold up whoever adds while two are under way', async () => {
    const first = Promise.withResolvers<void>();
    let stored = 0;
    const batcher = new RecordBatcher(reader, async () => {
      if (stored === 0) await first.promise;
      stored += 1;
    });
    let added = 0;
    const adding = (async () => {
      for (; added < 4 * FULL; added += 1) await batcher.add(added, null);
    })();
    await settled();
    // One being stored, one read, and the last record of a third one that must wait for the first.
    expect([stored, added]).toEqual([0, 3 * FULL - 1]);
    first.resolve();
    await adding;
    await batcher.flush();
    expect(stored).toBe(4);
  });

  it.each(['read', 'stored'])(
    'tell whoever flushes that one could not be %s, and store none behind it',
    async (fault) => {
      const stored: number[] = [];
      let reads = 0;
      const failing = {
        read: async (raws: readonly unknown[]) => {
          reads += 1;
          if (fault === 'read' && reads === 2) throw new Error('fault');
          return raws.map(() => READ);
        },
      };
      const batcher = new RecordBatcher(failing, async (_, nextOffset) => {
        if (fault === 'stored' && nextOffset === 2 * FULL) throw new Error('fault');
        stored.push(nextOffset);
      });
      const adding = async () => {
        for (let offset = 0; offset < 4 * FULL; offset += 1) await batcher.add(offset, null);
        await batcher.flush();
      };
      await expect(adding()).rejects.toThrow('fault');
      await expect(batcher.flush()).rejects.toThrow('fault');
      expect(stored).toEqual([FULL]);
    },
  );
});
