import type { RetryCandidate } from '@milepost/event-log';

/** Letters that are tried again in one transaction, during which nobody else can append for a moment. */
const LIMIT_LETTERS = 200;
/** Their bytes are in memory together, and so is what they become. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** Cuts candidates, in their order, into batches within the limits; one letter larger than the limit is a batch alone. */
export function* batchesOf(candidates: readonly RetryCandidate[]): Generator<number[]> {
  let ids: number[] = [];
  let bytes = 0;
  for (const { id, raw_bytes } of candidates) {
    if (ids.length > 0 && (ids.length === LIMIT_LETTERS || bytes + raw_bytes > LIMIT_BYTES)) {
      yield ids;
      ids = [];
      bytes = 0;
    }
    ids.push(id);
    bytes += raw_bytes;
  }
  if (ids.length > 0) yield ids;
}
