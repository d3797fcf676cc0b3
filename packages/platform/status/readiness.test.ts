import { expect, it } from 'vitest';
import { isIngestMissing } from './readiness.ts';

it('ingest is missing when its last heartbeat is more than a minute old, or when there was none', () => {
  expect([null, 0, 60, 60.1].map(isIngestMissing)).toEqual([true, false, false, true]);
});
