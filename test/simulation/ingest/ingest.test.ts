import { it } from 'vitest';
import { expectNoFailure } from '../expect-no-failure.ts';
import { runIngest } from './world.ts';

it("stores each record once in its fleet's lane, whatever fails while lanes are claimed and fleets move", async () => {
  await expectNoFailure(runIngest, 2_000);
});
