import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { type FetchedRecord, refuseTooLong } from '@milepost/domain/records';
import { readFetched } from '@milepost/event-log/prepare';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { RecordReader } from '../../../apps/ingest/records/record-reader.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';

type Content = Pick<FetchedRecord, 'value' | 'refusal'>;

/** No record is in the future, so the time of reading does not affect any result. */
const readHere = (content: Content) => readFetched(content, false, Date.now());

/** Reads the records of a batch. */
async function readContents(reader: RecordReader, contents: readonly Content[]) {
  const read = await reader.prepare(contents.map((content, offset) => ({ offset, ...content })));
  return read.map(({ prepared }) => prepared);
}

/** Reads values as the records of a batch. */
async function readAll(reader: RecordReader, values: readonly (Uint8Array | null)[]) {
  const contents = values.map((value) => ({ value }));
  return await readContents(reader, contents);
}

const bytesOf = (record: object) => Buffer.from(JSON.stringify(record));

/** A record that is larger than the limit for a task and contains none of the fields. */
const LARGE = Buffer.from(`${' '.repeat(1_500_000)}{}`);

const value = fc.oneof(
  { weight: 5, arbitrary: fc.nat(9).map((trip) => bytesOf(tripProcessed({ source_trip_id: `trip-${trip}` }))) },
  fc.constantFrom(bytesOf(tripDeleted()), bytesOf(driverProfile()), bytesOf(tripProcessed({ events: [] }))),
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 30 }) },
  fc.constantFrom(null, Buffer.alloc(0), Buffer.from('{"kind":'), LARGE),
);
const refusals: FetchedRecord['refusal'][] = [
  undefined,
  refuseTooLong(40_000_000, 65_536),
  { reason: 'batch_unreadable', field: null, message: 'The batch cannot be read.' },
];
const batch = fc.array(fc.record({ value, refusal: fc.constantFrom(...refusals) }), { maxLength: 12 });

describe("records read on the reader's thread", () => {
  const reader = new RecordReader();
  afterAll(async () => await reader.close());

  it('are equal to those that this thread reads, in order, with any number of concurrent requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), async (requests) => {
        const answers = await Promise.all(requests.map((contents) => readContents(reader, contents)));
        expect(answers.map((answer) => answer.length)).toEqual(requests.map((contents) => contents.length));
        for (const [index, contents] of requests.entries())
          expect(answers[index]).toEqual(structuredClone(contents.map(readHere)));
      }),
      { numRuns: 60 },
    );
  });

  it('may contain the fields of archive lines only if the reader expects an archive', async () => {
    const fromFile = untilTestEnds(new RecordReader(true));
    const trip = tripProcessed({
      events: tripProcessed().events.map((event) => ({ ...event, event_end_timestamp: 0 })),
    });
    const overspeeding_time_seconds = -(trip.events[1]?.event_start_timestamp ?? 0) / 1000;
    const event_summary = { ...trip.event_summary, overspeeding_time_seconds };
    const line = bytesOf({ ...trip, event_summary, milepost: { position: 1 } });
    // The second line is too large for the reading thread, so the main thread parses it.
    const lines = [line, Buffer.concat([line, Buffer.from(' '.repeat(1_500_000))])];
    for (const one of lines) {
      expect(await readAll(fromFile, [one])).toMatchObject([{ storable: true, draft: { record: { event_summary } } }]);
      expect(await readAll(reader, [one])).toMatchObject([{ storable: false }]);
    }
  });

  it('are divided into tasks by bytes, and are all returned', async () => {
    const trip = bytesOf(tripProcessed());
    const many = Array.from({ length: 1_201 }, (_, index) => (index % 7 === 0 ? null : trip));
    const large = Array.from({ length: 9 }, (_, index) => (index % 3 === 0 ? LARGE : trip));
    for (const raws of [many, large]) {
      const storable = (await readAll(reader, raws)).map((record) => record.storable);
      expect(storable).toEqual(raws.map((bytes) => bytes === trip));
    }
  });

  it.each([
    ['lists in lists', (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
    ['empty objects', (bytes: number) => `[${'{},'.repeat(bytes / 3)}{}]`],
    ['objects in objects', (bytes: number) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`],
  ])(
    "may be %s, which take far more memory when parsed, whether below or above the thread's size limit",
    async (_, textOf) => {
      // In the first case, there are more tasks than the thread accepts at a time. In the second case, one record above
      // the size limit takes as much memory as the four records of the first case together.
      for (const [count, bytes] of [
        [4, 1_000_000],
        [1, 4_000_000],
      ] as const) {
        const odd = Buffer.from(`{"kind":"nothing","value":${textOf(bytes)}}`);
        const answers = await readAll(
          reader,
          Array.from({ length: count }, () => odd),
        );
        expect(answers.map((answer) => !answer.storable && answer.refusal.reason)).toEqual(
          Array.from({ length: count }, () => 'unknown_kind'),
        );
      }
    },
    60_000,
  );

  it.runIf(process.platform === 'linux')("are read at a lower priority than this thread's", async () => {
    await readAll(reader, [bytesOf(tripProcessed())]);
    const threads = await readdir('/proc/self/task');
    const stats = await Promise.all(threads.map(async (id) => await readFile(`/proc/self/task/${id}/stat`, 'utf8')));
    // The thread's name, which is in parentheses, may contain spaces. Niceness is the 17th field after it.
    const niceness = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
    expect(getPriority()).toBeLessThan(10);
    expect(niceness.filter((value) => value === 10)).toHaveLength(1);
  });

  it('are read after as many failed tasks as there are buffers', async () => {
    const failing = Array.from({ length: 3 }, () => {
      // This buffer grows after its length has been recorded, so its bytes no longer fit into the reader's buffer.
      const buffer = new ArrayBuffer(1_000, { maxByteLength: 2_000_000 });
      const outcome = readAll(reader, [new Uint8Array(buffer)]);
      buffer.resize(2_000_000);
      return outcome;
    });
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected');
    for (let time = 0; time < 3; time += 1)
      expect(await readAll(reader, [bytesOf(tripProcessed())])).toMatchObject([{ storable: true }]);
  });

  it('keep their bytes, which a dead letter needs', async () => {
    const bytes = bytesOf({ kind: 'nothing' });
    const before = Buffer.from(bytes);
    await readAll(reader, [bytes]);
    expect(bytes).toEqual(before);
  });

  it('are rejected with an error when the reader closes before it reads them', async () => {
    const closing = new RecordReader();
    const underWay = readAll(
      closing,
      Array.from({ length: 2_000 }, () => bytesOf(tripProcessed())),
    );
    const outcome = underWay.catch((error: unknown) => error);
    await closing.close();
    expect(await outcome).toBeInstanceOf(Error);
  });
});
