import { expect } from 'vitest';
import { describeFailure, type Scenario, search } from './search.ts';

const FIRST_SEED = 1;

/**
 * If one of the first interleavings breaks a rule, fails with the steps of the shortest run that breaks it.
 *
 * @param count the number of interleavings, which is enough to find each planted fault; each interleaving takes about 2
 * ms of processor time
 */
export async function expectNoFailure(scenario: Scenario, count: number): Promise<void> {
  const { failure } = await search(scenario, FIRST_SEED, (interleavings) => interleavings >= count);
  expect(failure === null ? '' : describeFailure(failure)).toBe('');
}
