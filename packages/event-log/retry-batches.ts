import { cut } from './cut.ts';
import type { RetryCandidate } from './sql/find-retry-order.ts';

/** Letters that are tried again in one transaction, during which nobody else can append for a moment. */
const LIMIT_LETTERS = 200;
/** Their bytes are in memory together, and so is what they become. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** Cuts candidates, in their order, into batches within the limits; one letter larger than the limit is a batch alone. */
export function* batchesOf(candidates: readonly RetryCandidate[]): Generator<number[]> {
  const limits = { items: LIMIT_LETTERS, bytes: LIMIT_BYTES };
  for (const batch of cut(candidates, ({ raw_bytes }) => raw_bytes, limits)) yield batch.map(({ id }) => id);
}
