/** Rounds a number to the given number of decimal places. */
export function decimals(value: number, places: number): number {
  return Math.round(value * 10 ** places) / 10 ** places;
}

/** Random numbers that depend only on the given seed, so the same seed gives the same sequence on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;
  private spareNormal: number | null = null;

  /** Seeds sfc32 (Chris Doty-Humphrey, PractRand) through splitmix32. */
  constructor(...seedParts: number[]) {
    let state = 0x9e3779b9;
    const next = () => {
      state = (state + 0x9e3779b9) | 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) | 0;
    };
    for (const part of seedParts) {
      state = (state ^ part) | 0;
      state = next();
    }
    this.a = next();
    this.b = next();
    this.c = next();
    // sfc32 needs a few rounds before the sequences of similar seeds diverge.
    for (let round = 0; round < 12; round++) this.integer32();
  }

  /** 32 random bits as a signed integer. */
  integer32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + sum) | 0;
    return sum;
  }

  /** A uniform number from `from` (inclusive) to `to` (exclusive). */
  uniform(from = 0, to = 1): number {
    return from + ((to - from) * (this.integer32() >>> 0)) / 4294967296;
  }

  /** A whole number from `from` to `to`, both inclusive. */
  integer(from: number, to: number): number {
    return Math.floor(this.uniform(from, to + 1));
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Returns one of the items, each with the same probability. Throws when there are no items. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('Cannot pick an item from an empty list.');
    return item;
  }

  /** A standard normal number, by Marsaglia's polar method. */
  normal(): number {
    const spare = this.spareNormal;
    this.spareNormal = null;
    if (spare !== null) return spare;
    for (;;) {
      const x = this.uniform(-1, 1);
      const y = this.uniform(-1, 1);
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      this.spareNormal = y * factor;
      return x * factor;
    }
  }

  /** A lognormal number, limited to a range. */
  lognormal(median: number, sigma: number, lowest = 0, highest = Number.POSITIVE_INFINITY): number {
    return Math.min(highest, Math.max(lowest, median * Math.exp(sigma * this.normal())));
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** A gamma-distributed number with the given shape (at least 1) and mean, by Marsaglia and Tsang (2000). */
  gamma(shape: number, mean: number): number {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      if (Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return (d * v * mean) / shape;
    }
  }

  /** A Poisson-distributed count with a mean below 700. */
  poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    return count;
  }
}
