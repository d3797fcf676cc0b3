import { expect, it } from 'vitest';
import { pauseMilliseconds } from './run.ts';

it('pauseMilliseconds is the duration of the batch, and at most 25 ms after a batch that waited for an outage', () => {
  expect([0.5, 3, 25, 26, 600_000].map(pauseMilliseconds)).toEqual([0.5, 3, 25, 25, 25]);
});
