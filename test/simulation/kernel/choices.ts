import { mulberry32 } from '../../support/draw.ts';

/** Choices are integers below this number. */
const RANGE = 65_536;

/**
 * Makes all decisions in a simulation. The choice 0 is the ordinary one: there is no fault, and the oldest task is
 * next. Therefore, the same list of choices always gives the same run, and a list with more zeros gives a simpler run.
 */
export class Choices {
  readonly taken: number[] = [];
  readonly #next: () => number;

  private constructor(next: () => number) {
    this.#next = next;
  }

  /** Random choices from a seed. */
  static ofSeed(seed: number): Choices {
    const random = mulberry32(seed);
    return new Choices(() => (random() * 2 ** 32) & (RANGE - 1));
  }

  /** The choices of an earlier run, followed by zeros. */
  static of(choices: readonly number[]): Choices {
    const next = choices.values();
    return new Choices(() => next.next().value ?? 0);
  }

  /** Returns an integer from 0 up to, but not including, `count`. */
  below(count: number): number {
    return count <= 1 ? 0 : this.#take() % count;
  }

  /** Returns true with a probability of `perThousand` / 1,000. */
  chance(perThousand: number): boolean {
    return this.#take() >= RANGE - (RANGE * perThousand) / 1_000;
  }

  #take(): number {
    const choice = this.#next();
    this.taken.push(choice);
    return choice;
  }
}
