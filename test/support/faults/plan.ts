import { PROJECTIONS } from '@milepost/projections';
import type { Phase } from '@milepost/replay';
import fc from 'fast-check';

/**
 * What a fault strikes. A fault kills its victim, with two exceptions. `frozen_worker` is suspended until another
 * worker runs, and `flushed_redis` is restarted immediately.
 */
type Victim = 'worker' | 'frozen_worker' | 'postgres' | 'redis' | 'flushed_redis';

/** Approximately how long each phase takes. */
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

const fault = fc.constantFrom(...MILLISECONDS).chain(([phase, longest]) =>
  fc.record({
    victim,
    /** The fault occurs this many milliseconds after the test has seen the replay in this phase or a later one. */
    phase: fc.constant(phase),
    milliseconds: fc.nat(longest),
    /** How long the victim stays down. */
    downMilliseconds: fc.nat(600),
    /** Whether a dead worker's lease expires by itself. If not, the test ends the lease, which saves five seconds. */
    leaseExpires: fc.nat(7).map((drawn) => drawn === 0),
  }),
);

const round = fc.record({
  projection: fc.oneof(fc.constant('all'), fc.constantFrom(...PROJECTIONS.map(({ name }) => name))),
  end: fc.constantFrom<'cancelled' | 'promoted' | 'rolled_back'>('cancelled', 'promoted', 'rolled_back'),
  /** How many trips are appended while the replay runs. */
  appendedTrips: fc.constantFrom(0, 0, 40, 120),
  /** Whether workers that start in this round have their queue in Redis rather than in PostgreSQL. */
  hasRedis: fc.nat(3).map((drawn) => drawn > 0),
  faults: fc.oneof(
    { weight: 3, arbitrary: fc.array(fault, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(fault, { minLength: 2, maxLength: 2 }) },
  ),
});

type Value<Drawn> = Drawn extends fc.Arbitrary<infer Each> ? Each : never;
export type Fault = Value<typeof fault>;
export type Round = Value<typeof round>;

/** After this number of rounds, a fault has occurred in each phase. */
export const FULL_CAMPAIGN = 2 * MILLISECONDS.length;
export const FAULT_PHASES = new Set(MILLISECONDS.map(([phase]) => phase));

/**
 * Draws the rounds of a campaign. The same seed gives the same rounds. In the first rounds, the fault occurs as soon as
 * a phase begins.
 */
export function drawRounds(seed: number, count: number): Round[] {
  return fc.sample(fc.noBias(round), { seed, numRuns: count }).map((drawn, index) => {
    const [phase] = MILLISECONDS[index % MILLISECONDS.length] ?? [];
    const [first, ...others] = drawn.faults;
    if (!phase || !first || index >= FULL_CAMPAIGN) return drawn;
    // Until the fault, a lock keeps the replay in its phase, but not if the worker is frozen (see `holdsPhase`).
    const victim = phase !== 'promoting' && first.victim === 'frozen_worker' ? 'worker' : first.victim;
    // A replay that ends without a promotion never reaches the phase `promoting`.
    const end = phase === 'promoting' && drawn.end === 'cancelled' ? 'promoted' : drawn.end;
    return { ...drawn, end, faults: [{ ...first, victim, phase, milliseconds: 0 }, ...others] };
  });
}
