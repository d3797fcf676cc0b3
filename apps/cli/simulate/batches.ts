import type { SimulatedRecord } from '@milepost/sample-fleet';

/** By default, a broker limits a batch, including keys and framing, to 1 MB. */
const BATCH_BYTES = 900_000;
const OVERHEAD_BYTES = 100;

/** Splits records into requests, each of consecutive records of one topic. An oversized record gets its own request. */
export function* batches(
  records: Iterable<SimulatedRecord>,
  limitBytes: number = BATCH_BYTES,
): Generator<SimulatedRecord[]> {
  let batch: SimulatedRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(record.value) + Buffer.byteLength(record.key) + OVERHEAD_BYTES;
    if (batch.length > 0 && (bytes + size > limitBytes || batch[0]?.topic !== record.topic)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
