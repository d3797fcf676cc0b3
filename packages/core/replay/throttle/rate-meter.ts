import type { Rates } from '../lease.ts';

const WINDOW_MILLISECONDS = 2_000;
/** The slowest and fastest rates are taken from at most this many recent windows. */
const MAX_WINDOWS = 30;
/** A range needs at least this many windows. */
const MIN_WINDOWS = 3;

/**
 * Measures rates in trips per second, in windows of two seconds: the current rate, and the range over the last minute.
 */
export class RateMeter {
  readonly #windows: number[] = [];
  #started = performance.now();
  #trips = 0;

  add(trips: number): void {
    this.#trips += trips;
    const elapsed = performance.now() - this.#started;
    if (elapsed < WINDOW_MILLISECONDS) return;
    this.#windows.push((this.#trips / elapsed) * 1000);
    if (this.#windows.length > MAX_WINDOWS) this.#windows.shift();
    this.#started = performance.now();
    this.#trips = 0;
  }

  /**
   * Returns rates in trips per second, which are the mean over the last five windows and the extremes over the last
   * minute. A rate is null until there are enough measurements.
   */
  rates(): Omit<Rates, 'throttledBy'> {
    const last = this.#windows.slice(-5);
    const elapsed = performance.now() - this.#started;
    if (last.length === 0) {
      const early = elapsed > 0 && this.#trips > 0 ? (this.#trips / elapsed) * 1000 : null;
      return { current: early, slowest: null, fastest: null };
    }
    const current = last.reduce((sum, rate) => sum + rate, 0) / last.length;
    if (this.#windows.length < MIN_WINDOWS) return { current, slowest: null, fastest: null };
    return { current, slowest: Math.min(...this.#windows), fastest: Math.max(...this.#windows) };
  }
}
