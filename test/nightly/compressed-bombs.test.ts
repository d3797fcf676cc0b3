import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type Codec, compress, publishPacked, recordsOf, type Value } from '../support/bombs.ts';
import { deploy } from '../support/deployment.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const MIB = 1024 * 1024;
const MAX_RESIDENT_MIB = 512;

/** Snappy compresses by a factor of 21 at most, and the topic accepts 20 MiB. */
const BOMBS: readonly [Codec, number][] = [
  ['gzip', 900 * MIB],
  ['snappy', 300 * MIB],
  ['lz4', 900 * MIB],
  ['zstd', 900 * MIB],
];

async function peakMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
}

describeWithKafka('batches that decompress to more than fits in memory', (brokers) => {
  it('become dead letters within 512 MiB of memory, while all valid records around them are stored', async () => {
    const { topics, processes, owner, untilRead } = await deploy(brokers);
    const ingest = processes.start('ingest');
    let trips = 0;
    const good = (): string => {
      trips += 1;
      return JSON.stringify(tripProcessed({ source_trip_id: `trip-${trips}` }));
    };
    const publish = async (codec: Codec, values: readonly Value[]) => {
      const packed = await compress(codec, recordsOf(values));
      const batch = { topic: topics.names.trips, partition: 0, codec, packed, records: values.length };
      await publishPacked(topics.kafka, batch);
    };
    for (const [index, [codec, bytes]] of BOMBS.entries()) {
      await publish(codec, [good(), bytes, good()]);
      await publish(codec, [good()]);
      await untilRead((index + 1) * 4);
    }
    // Skipping both oversized values would take too long, so one dead letter stands for the last two records.
    await publish('zstd', [good(), 900 * MIB, 900 * MIB, 'not read', 'not read']);
    await publish('zstd', [good()]);
    await untilRead(21);
    const { rows } = await owner.query(
      `SELECT records_read AS read, records_stored AS stored, records_dead_letter AS dead, next_offset AS next, fault
       FROM log_source WHERE topic = $1 AND partition = 0`,
      [topics.names.trips],
    );
    expect(rows).toEqual([{ read: 21, stored: trips, dead: 7, next: 22, fault: null }]);
    const letters = await owner.query(
      `SELECT source_offset AS offset, reason, message, octet_length(raw) + rest_bytes AS bytes FROM dead_letter ORDER BY source_offset`,
    );
    const tooLong = (offset: number, bytes: number) => ({
      offset,
      reason: 'record_too_large',
      message: expect.stringContaining(`The record is ${bytes} bytes long`),
      bytes: 64 * 1024,
    });
    expect(letters.rows).toEqual([
      ...BOMBS.map(([, bytes], index) => tooLong(index * 4 + 1, bytes)),
      tooLong(17, 900 * MIB),
      tooLong(18, 900 * MIB),
      {
        offset: 20,
        reason: 'batch_too_large',
        message: expect.stringMatching(
          /^2 of its records, from offset 19 on, cannot be read.*offsets 16 to 20 in \d+ bytes of zstd/,
        ),
        bytes: expect.any(Number),
      },
    ]);
    process.stdout.write(`peak: ${await peakMib(ingest.child.pid)} MiB\n`);
    expect(await peakMib(ingest.child.pid)).toBeLessThan(MAX_RESIDENT_MIB);
  }, 240_000);
});
