import { expect, it } from 'vitest';
import { describeFailure, search } from '../search.ts';
import { runIngest } from './world.ts';

/** Enough to find each planted fault. Each interleaving takes about 2 ms of processor time. */
const INTERLEAVINGS = 2_000;

it("stores each record once in its fleet's lane, whatever fails while lanes are claimed and fleets move", async () => {
  const { failure } = await search(runIngest, 1, (interleavings) => interleavings >= INTERLEAVINGS);
  expect(failure === null ? '' : describeFailure(failure)).toBe('');
});
