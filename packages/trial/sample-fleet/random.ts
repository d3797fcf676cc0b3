/** Seeded random numbers: sfc32 (Chris Doty-Humphrey, PractRand) seeded through splitmix32. */

/** Random numbers that depend only on the given seed, so the same seed gives the same sequence on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;
  private spareNormal: number | undefined;

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

  /** Returns one of the items, all with the same probability. Throws when there is none. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('Cannot pick an item from an empty list.');
    return item;
  }

  /** A standard normal number, by Marsaglia's polar method. */
  normal(): number {
    if (this.spareNormal !== undefined) {
      const spare = this.spareNormal;
      this.spareNormal = undefined;
      return spare;
    }
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

  lognormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** A gamma-distributed number with the given shape and mean, by Marsaglia and Tsang (2000). */
  gamma(shape: number, mean: number): number {
    if (shape < 1) return this.gamma(shape + 1, mean * ((shape + 1) / shape)) * (1 - this.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      if (Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return (d * v * mean) / shape;
    }
  }

  /** A Poisson-distributed count. Large means are split, because exp(-mean) would become 0. */
  poisson(mean: number): number {
    let rest = mean;
    let count = 0;
    for (; rest > 30; rest -= 30) count += this.poisson(30);
    const limit = Math.exp(-rest);
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    return count;
  }

  /** A negative binomial count with the given mean and shape r, whose variance is mean + mean^2 / r. */
  negativeBinomial(mean: number, shape: number): number {
    return this.poisson(this.gamma(shape, mean));
  }
}

/** The shape r of the negative binomial with this mean and coefficient of variation. */
export function negativeBinomialShape(mean: number, variation: number): number {
  const variance = (mean * variation) ** 2;
  if (variance <= mean)
    throw new Error(
      `A negative binomial distribution with the mean ${mean} needs a greater variance than ${variance}.`,
    );
  return mean ** 2 / (variance - mean);
}

/** The gamma quantile that belongs to the standard normal value `z`, by Wilson and Hilferty (1931). */
export function gammaFromNormal(z: number, mean: number, variation: number): number {
  const shape = 1 / variation ** 2;
  return mean * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
}
