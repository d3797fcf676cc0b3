import { setTimeout as delay } from 'node:timers/promises';
import type { Rates } from '../lease.ts';
import type { Throttle } from '../replay.ts';
import { Automatic } from './automatic.ts';
import { RateMeter } from './rate-meter.ts';

/** A worker waits at most this long before it rereads the throttle, which may have changed. */
const MAX_WAIT_MILLISECONDS = 250;

/** Decides when the next chunk may start, and measures the replay's rate. */
export class Throttled {
  #throttle: Throttle;
  /** Needs measurements of the load while the throttle is automatic. */
  readonly automatic = new Automatic();
  readonly #tripsPerEvent: number;
  readonly #meter = new RateMeter();
  #nextStart = 0;

  /**
   * @param tripsPerEvent the fraction of a trip that one stored event in a chunk represents: 1 divided by the number of
   *   passes over the log
   */
  constructor(throttle: Throttle, tripsPerEvent: number) {
    this.#throttle = throttle;
    this.#tripsPerEvent = tripsPerEvent;
  }

  get throttle(): Throttle {
    return this.#throttle;
  }

  /** A new throttle applies immediately, because the wait under a very slow throttle may last for hours. */
  set throttle(throttle: Throttle) {
    if (throttle === this.#throttle) return;
    this.#throttle = throttle;
    this.#nextStart = 0;
  }

  /**
   * Resolves with true when a chunk may start now, or with false after an abort or a short wait. The caller should then
   * ask again, because the throttle may have changed. When throttled, only the first worker may start chunks.
   */
  async mayStart(worker: number, signal: AbortSignal): Promise<boolean> {
    const wait = this.throttle === 'off' ? 0 : Math.max(0, this.#nextStart - performance.now());
    const mine = this.throttle === 'off' || worker === 0;
    if (signal.aborted) return false;
    if (mine && wait === 0) return true;
    await delay(mine ? Math.min(wait, MAX_WAIT_MILLISECONDS) : MAX_WAIT_MILLISECONDS, undefined, {
      signal,
    }).catch(() => {});
    return false;
  }

  /** Adds a finished chunk with its number of stored events and its duration. */
  onChunk(events: number, milliseconds: number): void {
    const trips = events * this.#tripsPerEvent;
    this.#meter.add(trips);
    if (this.throttle === 'off') return;
    const now = performance.now();
    const pause =
      this.throttle === 'auto'
        ? this.automatic.pauseAfter(milliseconds)
        : (trips / this.throttle) * 1000 - milliseconds;
    this.#nextStart = now + Math.max(0, pause);
  }

  rates(): Rates {
    const { current, slowest, fastest } = this.#meter.rates();
    // The first chunk starts immediately, so its rate may exceed the throttle.
    const most = typeof this.throttle === 'number' ? this.throttle : Number.POSITIVE_INFINITY;
    const atMost = (rate: number | null) => (rate === null ? null : Math.min(rate, most));
    return {
      current: atMost(current),
      slowest: atMost(slowest),
      fastest: atMost(fastest),
      throttledBy: this.throttle === 'auto' ? this.automatic.reason : null,
    };
  }
}
