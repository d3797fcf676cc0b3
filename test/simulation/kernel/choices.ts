import { mulberry32 } from '../../support/draw.ts';

/** Choices are integers below this number. */
const RANGE = 65_536;

/**
 * Makes all decisions in a simulation, so the same list of choices always gives the same run. The choice 0 is the
 * ordinary one: there is no fault, and the oldest task is next. A list with more zeros therefore gives a simpler run.
 */
export type Choices = ReturnType<typeof choose>;

function choose(next: () => number) {
  const taken: number[] = [];
  const take = () => {
    const choice = next();
    taken.push(choice);
    return choice;
  };
  return {
    taken,
    /** Returns an integer from 0 up to, but not including, `count`. */
    below: (count: number) => (count <= 1 ? 0 : take() % count),
    /** Returns true with a probability of `perThousand` / 1,000. */
    chance: (perThousand: number) => take() >= RANGE - (RANGE * perThousand) / 1_000,
  };
}

/** Random choices from a seed. */
export function drawChoices(seed: number): Choices {
  const random = mulberry32(seed);
  return choose(() => (random() * 2 ** 32) & (RANGE - 1));
}

/** The choices of an earlier run, followed by zeros. */
export function repeatChoices(choices: readonly number[]): Choices {
  const next = choices.values();
  return choose(() => next.next().value ?? 0);
}
