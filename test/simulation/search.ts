import { type Choices, drawChoices, repeatChoices } from './kernel/choices.ts';
import { replaceClock } from './kernel/clock.ts';
import { InvariantError, Simulation } from './kernel/simulation.ts';

/** Runs one interleaving in a simulation. Throws when a rule is broken. */
type Scenario = (simulation: Simulation) => Promise<void>;

/** A run that broke a rule. */
interface Failure {
  /** How many interleavings have run, including this one. */
  interleavings: number;
  seed: number;
  /** The error message of the shortest run found. */
  message: string;
  /** The steps of the shortest run. */
  trace: readonly string[];
  /** How many choices in the shortest run are not the ordinary ones. */
  departures: number;
}

const TRACED_FRAMES = 20;
const MAX_SHRINKING_RUNS = 600;

interface Run {
  taken: readonly number[];
  error: unknown;
  trace: readonly string[];
}

const departuresOf = ({ taken }: Run) => taken.reduce((count, choice) => (choice === 0 ? count : count + 1), 0);

/** Replaces as many choices as possible with the ordinary choice, provided that the run still breaks a rule. */
async function shrink(first: Run, run: (choices: Choices) => Promise<Run>): Promise<Run> {
  let best = first;
  let runs = 0;
  for (let size = Math.ceil(best.taken.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.taken.length && runs < MAX_SHRINKING_RUNS; at += size) {
      const choices = best.taken.map((choice, index) => (index >= at && index < at + size ? 0 : choice));
      if (choices.every((choice, index) => choice === best.taken[index])) continue;
      runs += 1;
      const shorter = await run(repeatChoices(choices));
      if (shorter.error !== null && departuresOf(shorter) <= departuresOf(best)) best = shorter;
    }
  }
  return best;
}

/**
 * Runs this many interleavings, with the seeds `firstSeed`, `firstSeed` + 1 and so on, or until an interleaving breaks
 * a rule. Then makes that run as simple as possible. Returns null if none breaks a rule.
 */
export async function search(scenario: Scenario, firstSeed: number, interleavings: number): Promise<Failure | null> {
  let simulation = new Simulation(repeatChoices([]));
  const run = async (choices: Choices, isTraced = false): Promise<Run> => {
    simulation = new Simulation(choices, isTraced);
    // Stack traces of errors take a third of the time, and are needed only to report a failure.
    Error.stackTraceLimit = isTraced ? TRACED_FRAMES : 0;
    let error: unknown = null;
    try {
      await scenario(simulation);
      // Node reports an unhandled rejection before the next callback of `setImmediate`.
      await new Promise((resolve) => setImmediate(resolve));
      simulation.throwFailure();
    } catch (thrown) {
      error = thrown;
    }
    return { taken: choices.taken, error, trace: simulation.trace };
  };
  const restore = replaceClock(() => simulation);
  const { stackTraceLimit } = Error;
  const onUnhandled = (reason: unknown) =>
    simulation.fail(new InvariantError(`an error is not handled: ${String(reason)}`));
  process.on('unhandledRejection', onUnhandled);
  try {
    for (let seed = firstSeed; seed < firstSeed + interleavings; seed += 1) {
      const ran = await run(drawChoices(seed));
      if (ran.error === null) continue;
      const shrunk = await shrink(ran, run);
      const { trace, error } = await run(repeatChoices(shrunk.taken), true);
      return {
        interleavings: seed - firstSeed + 1,
        seed,
        message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        trace: error instanceof Error && error.name !== 'InvariantError' ? [...trace, String(error.stack)] : trace,
        departures: departuresOf(shrunk),
      };
    }
    return null;
  } finally {
    restore();
    process.off('unhandledRejection', onUnhandled);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the report on a run that broke a rule. */
export function describeFailure({ interleavings, seed, message, trace, departures }: Failure): string {
  const found = `Seed ${seed} breaks a rule, after ${interleavings} interleavings. Reduced to ${departures} choices:`;
  return [found, ...trace, message].join('\n');
}
