import { it } from 'vitest';
import { expectNoFailure } from '../expect-no-failure.ts';
import { runIngest } from './world.ts';

it('stores each record once in the lane of its fleet, whatever fails while lanes are claimed and a fleet moves', async () => {
  await expectNoFailure(runIngest, 2_000);
});
