import { expect, it } from 'vitest';
import { withLane } from './lane.ts';

it('the audit trail names the lane of a change, unless it is the first one', () => {
  expect(withLane({ id: 7 }, 0)).toEqual({ id: 7 });
  expect(withLane({ id: 7 }, 1)).toEqual({ id: 7, lane: 1 });
});
