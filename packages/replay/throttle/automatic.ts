/** What a look at the database tells the automatic throttle. */
export interface Load {
  /** How long a small read took. */
  read_milliseconds: number;
  /** How old the oldest stored event is that the live projections have not applied. */
  live_lag_seconds: number;
}

/** Reads may take so many times what they took at rest, and this much longer at least, before the replay slows down. */
const READ_FACTOR = 1.5;
const READ_MARGIN_MILLISECONDS = 2;
const LAG_LIMIT_SECONDS = 2;
/** Shares of the time that the replay works: where it begins, and between what it moves. */
const FIRST_SHARE = 0.3;
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.9;
/** A load halves the share, and rest adds a little: the replay slows down at once and speeds up slowly. */
const BACK_OFF = 0.5;
const STEP = 0.03;
/** Reads at rest are the least of the last looks, so that the measure follows the machine. */
const LOOKS_KEPT = 240;

/** Decides how much of the time a replay may work, from how readers and the live projector fare. */
export class Automatic {
  #share = FIRST_SHARE;
  #reason: string | null = null;
  readonly #reads: number[] = [];

  /** Told of each look. */
  observe({ read_milliseconds, live_lag_seconds }: Load): void {
    this.#reads.push(read_milliseconds);
    if (this.#reads.length > LOOKS_KEPT) this.#reads.shift();
    const atRest = Math.min(...this.#reads);
    const limit = Math.max(atRest * READ_FACTOR, atRest + READ_MARGIN_MILLISECONDS);
    if (live_lag_seconds > LAG_LIMIT_SECONDS) {
      this.#slowDown(`the live projections lag ${live_lag_seconds.toFixed(1)} s behind`);
    } else if (read_milliseconds > limit) {
      this.#slowDown(`reads take ${read_milliseconds.toFixed(1)} ms, ${atRest.toFixed(1)} ms at rest`);
    } else {
      this.#share = Math.min(MOST_SHARE, this.#share + STEP);
      this.#reason = null;
    }
  }

  #slowDown(reason: string): void {
    this.#share = Math.max(LEAST_SHARE, this.#share * BACK_OFF);
    this.#reason = reason;
  }

  /** How long to pause after work of so many milliseconds. */
  pauseAfter(milliseconds: number): number {
    return milliseconds * (1 / this.#share - 1);
  }

  /** Why the replay holds back; null when it does not. */
  reason(): string | null {
    return this.#reason;
  }
}
