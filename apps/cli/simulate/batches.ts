import type { SimulatedRecord } from '@milepost/sample-fleet';

/** Brokers refuse more than 1 MB in one batch unless told otherwise; keys and framing need room too. */
const BATCH_BYTES = 900_000;
const OVERHEAD_BYTES = 100;

/** Consecutive records of one topic that fit into one request; a record larger than that stands alone. */
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
