import { PROJECTIONS } from '@milepost/projections';
import type { Phase } from '@milepost/replay';
import fc from 'fast-check';

/** What is struck: killed, but for `frozen_worker` (stopped, and let go once another has begun) and `flushed_redis`. */
type Victim = 'worker' | 'frozen_worker' | 'postgres' | 'redis' | 'flushed_redis';

export interface Strike {
  victim: Victim;
  /** Strikes so many milliseconds after the replay was seen in this phase, or past it. */
  phase: Phase;
  milliseconds: number;
  /** How long the victim stays away. */
  awayMilliseconds: number;
  /** Whether the lease of a dead worker runs out by itself; otherwise it is ended, which saves five seconds. */
  leaseRunsOut: boolean;
}

export interface Round {
  projection: string;
  end: 'cancelled' | 'promoted' | 'rolled_back';
  /** Trips that are appended while the replay goes on. */
  appendedTrips: number;
  /** Whether a worker that is started in the round has its queue in Redis; otherwise in PostgreSQL. */
  hasRedis: boolean;
  strikes: Strike[];
}

/** How long each phase lasts, about. */
const MILLISECONDS: readonly (readonly [Phase, number])[] = [
  ['filling', 1_200],
  ['filling', 300],
  ['indexing', 150],
  ['catching_up', 60],
  ['verifying', 300],
  ['promoting', 150],
];

const victim = fc.constantFrom<Victim>(
  'worker',
  'worker',
  'worker',
  'postgres',
  'postgres',
  'redis',
  'flushed_redis',
  'frozen_worker',
);

const strike: fc.Arbitrary<Strike> = fc.constantFrom(...MILLISECONDS).chain(([phase, longest]) =>
  fc.record({
    victim,
    phase: fc.constant(phase),
    milliseconds: fc.nat(longest),
    awayMilliseconds: fc.nat(600),
    leaseRunsOut: fc.nat(7).map((drawn) => drawn === 0),
  }),
);

const round: fc.Arbitrary<Round> = fc.record({
  projection: fc.oneof(fc.constant('all'), fc.constantFrom(...PROJECTIONS.map(({ name }) => name))),
  end: fc.constantFrom('cancelled', 'promoted', 'rolled_back'),
  appendedTrips: fc.constantFrom(0, 0, 40, 120),
  hasRedis: fc.nat(3).map((drawn) => drawn > 0),
  strikes: fc.oneof(
    { weight: 3, arbitrary: fc.array(strike, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(strike, { minLength: 2, maxLength: 2 }) },
  ),
});

/** How many rounds it takes until each phase was struck. */
export const FULL_CAMPAIGN = 2 * MILLISECONDS.length;
export const STRUCK_PHASES = new Set(MILLISECONDS.map(([phase]) => phase));

/** The rounds of a campaign: the same ones for the same seed. The first of them strike each phase as it begins. */
export function drawRounds(seed: number, count: number): Round[] {
  return fc.sample(fc.noBias(round), { seed, numRuns: count }).map((drawn, index) => {
    const [phase] = MILLISECONDS[index % MILLISECONDS.length] ?? [];
    const [first, ...others] = drawn.strikes;
    if (!phase || !first || index >= FULL_CAMPAIGN) return drawn;
    // Catching up is held until it is struck, but not for a frozen worker.
    const victim = phase === 'catching_up' && first.victim === 'frozen_worker' ? 'worker' : first.victim;
    return { ...drawn, strikes: [{ ...first, victim, phase, milliseconds: 0 }, ...others] };
  });
}
