import { it } from 'vitest';
import { expectNoFailure } from '../expect-no-failure.ts';
import { runReplays } from './world.ts';

it('has one worker for each phase of a replay, promotes at most once, and leaves nothing after a cancel', async () => {
  await expectNoFailure(runReplays, 12_000);
});
