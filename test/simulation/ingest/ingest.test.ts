import { expect, it } from 'vitest';
import { describeFailure, search } from '../search.ts';
import { runIngest } from './world.ts';

/** Enough to find each planted fault. Each interleaving takes about 2 ms of processor time. */
const INTERLEAVINGS = Number(process.env['SIMULATION_INTERLEAVINGS'] ?? 2_000);
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const MAX_MILLISECONDS = 300_000 + 20 * INTERLEAVINGS;

it(
  "stores each record once in its fleet's lane, whatever fails while lanes are claimed and fleets move",
  async () => {
    // Without this, a misspelt number would run nothing and pass.
    expect(INTERLEAVINGS).toBeGreaterThan(0);
    const failure = await search(runIngest, SEED, INTERLEAVINGS);
    expect(failure === null ? '' : describeFailure(failure)).toBe('');
  },
  MAX_MILLISECONDS,
);
