import type { SourceClaim } from '@milepost/event-log';

const SETTLED_BY = 'Nothing is read from it until an operator says where to go on, and so accepts the loss.';

/**
 * The topic does not hold what comes next: retention removed it, or the topic was deleted and made anew. Going on would
 * lose trips in silence, so the source stands still until an operator decides.
 */
export class SourceStoppedError extends Error {
  override name = 'SourceStoppedError';
  readonly claim: SourceClaim;

  constructor(claim: SourceClaim, message: string) {
    super(message);
    this.claim = claim;
  }

  /** The broker holds the offsets from `low` to before `high`, and the claim's next one is neither among them nor `high`. */
  static outOfRange(claim: SourceClaim, low: number, high: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `${topic}/${partition} should go on at offset ${nextOffset}, but the broker holds ${low} to ${high}: records were removed before they were read, or the topic was made anew.`;
    return new SourceStoppedError(claim, `${cause} ${SETTLED_BY}`);
  }

  /** Another record is where the last one was read. */
  static madeAnew(claim: SourceClaim, offset: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `${topic}/${partition} was made anew: at offset ${offset} is not the record that was read there, before offset ${nextOffset} where to go on.`;
    return new SourceStoppedError(claim, `${cause} ${SETTLED_BY}`);
  }
}
