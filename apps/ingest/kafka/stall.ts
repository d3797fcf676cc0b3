/** A consumer that has stood still this long while the topic grows is built anew. */
const STALL_MILLISECONDS = 30_000;

/**
 * Notices a consumer that stands still although the topic holds more: after the loss of the group's coordinator the client
 * was seen to wait for ever. Any sign of life, even one of trouble, counts as progress.
 */
export class StallDetector {
  #lastSign: number;

  constructor(now: number) {
    this.#lastSign = now;
  }

  /** Something was stored, tried, or there was nothing to do. */
  sign(now: number): void {
    this.#lastSign = now;
  }

  isStalled(now: number): boolean {
    return now - this.#lastSign >= STALL_MILLISECONDS;
  }
}
