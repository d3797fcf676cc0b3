import type { PartitionClaim } from './partition-claim.ts';

const SETTLED_BY =
  'Ingest does not read from this partition until an operator accepts the loss by setting the next offset.';

/**
 * The topic does not hold the next offset: retention removed it, or the topic was deleted and created again. Reading
 * further would lose trips silently, so the source is stopped until an operator decides.
 */
export class SourceStoppedError extends Error {
  override name = 'SourceStoppedError';
  readonly claim: PartitionClaim;

  constructor(claim: PartitionClaim, message: string) {
    super(message);
    this.claim = claim;
  }

  /**
   * The broker holds the offsets from `low` up to, but not including, `high`. The claim's next offset is neither among
   * them nor `high`.
   */
  static outOfRange(claim: PartitionClaim, low: number, high: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `The next offset of ${topic}/${partition} is ${nextOffset}, but the broker holds ${low} to ${high}: records were removed before they were read, or the topic was created again.`;
    return new SourceStoppedError(claim, `${cause} ${SETTLED_BY}`);
  }

  /** At `offset`, the broker holds a different record from the one that was read there. */
  static recreated(claim: PartitionClaim, offset: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `${topic}/${partition} was created again: at offset ${offset} the broker holds a different record from the one that was read there. The new topic's records before offset ${nextOffset} may never have been read.`;
    return new SourceStoppedError(claim, `${cause} ${SETTLED_BY}`);
  }
}
