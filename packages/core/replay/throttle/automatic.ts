/** The database's load, as the automatic throttle measures it. */
export interface Load {
  /** How long a small read takes. */
  read_milliseconds: number;
  /** The age of the oldest stored event that the live projections have not applied yet. */
  live_lag_seconds: number;
}

/**
 * The replay slows down when a read takes more than this many times as long as at rest, provided that the difference
 * exceeds the margin below.
 */
const READ_FACTOR = 1.5;
const READ_MARGIN_MILLISECONDS = 2;
const LAG_LIMIT_SECONDS = 2;
/** The initial, minimum and maximum fraction of time that the replay spends working. */
const FIRST_SHARE = 0.3;
const MIN_SHARE = 0.02;
const MAX_SHARE = 0.9;
/**
 * Under load, the working fraction is multiplied by `BACK_OFF`; at rest, it grows by a small step. The replay therefore
 * slows down quickly and speeds up slowly.
 */
const BACK_OFF = 0.5;
const STEP = 0.03;
/** The duration of a read at rest is the minimum of this many recent measurements, so it adapts to the machine. */
const MAX_READS = 240;

/**
 * Limits the fraction of time that a replay spends working, depending on the load on readers and the live projector.
 */
export class Automatic {
  #share = FIRST_SHARE;
  /** Why the replay is slowing down; null when it is not. */
  reason: string | null = null;
  readonly #reads: number[] = [];

  /** Adds a measurement. */
  observe({ read_milliseconds, live_lag_seconds }: Load): void {
    this.#reads.push(read_milliseconds);
    if (this.#reads.length > MAX_READS) this.#reads.shift();
    const atRest = Math.min(...this.#reads);
    const limit = Math.max(atRest * READ_FACTOR, atRest + READ_MARGIN_MILLISECONDS);
    if (live_lag_seconds > LAG_LIMIT_SECONDS) {
      this.#slowDown(`the live projections are ${live_lag_seconds.toFixed(1)} s behind`);
    } else if (read_milliseconds > limit) {
      this.#slowDown(`reads take ${read_milliseconds.toFixed(1)} ms (idle: ${atRest.toFixed(1)} ms)`);
    } else {
      this.#share = Math.min(MAX_SHARE, this.#share + STEP);
      this.reason = null;
    }
  }

  #slowDown(reason: string): void {
    this.#share = Math.max(MIN_SHARE, this.#share * BACK_OFF);
    this.reason = reason;
  }

  /** Returns how long to pause after work of this duration. */
  pauseAfter(milliseconds: number): number {
    return milliseconds * (1 / this.#share - 1);
  }
}
