import { expect, it } from 'vitest';
import { tripDeleted } from '../../../test/support/records.ts';
import { decide, type KnownRevision } from './decide.ts';
import { readRecord } from './prepare.ts';

function draftOf(changes: Parameters<typeof tripDeleted>[0]) {
  const prepared = readRecord(Buffer.from(JSON.stringify(tripDeleted(changes))), Date.UTC(2026, 0, 1));
  if (!prepared.storable) throw new Error('The record is not storable.');
  return prepared.draft;
}

const revisionOf = (revision: number) => draftOf({ revision });

/** Returns a stored revision that has the same content as `revisionOf(revision)`. */
function known(revision: number, position: number, effective = true): KnownRevision {
  const { subject, contentHash } = revisionOf(revision);
  return { subject, revision, contentHash, position, effective };
}

it('decide stores the first revision of each subject at the next positions', () => {
  const drafts = [revisionOf(1), draftOf({ revision: 1, source_trip_id: 'other' })];
  expect(decide(drafts, [], 7)).toEqual([
    { outcome: 'stored', position: 8, effective: true, supersedes: null },
    { outcome: 'stored', position: 9, effective: true, supersedes: null },
  ]);
});

it('decide supersedes the highest effective revision, in whatever order the log returns them', () => {
  const revisions = [known(4, 5), known(1, 2), known(3, 6, false)];
  const superseding = [{ outcome: 'stored', position: 10, effective: true, supersedes: 5 }];
  expect(decide([revisionOf(5)], revisions, 9)).toEqual(superseding);
  expect(decide([revisionOf(5)], revisions.toReversed(), 9)).toEqual(superseding);
});

it('decide stores a revision below the highest one without effect, and supersedes nothing with it', () => {
  expect(decide([revisionOf(2), revisionOf(3), revisionOf(6)], [known(5, 1)], 1)).toEqual([
    { outcome: 'stored', position: 2, effective: false, supersedes: null },
    { outcome: 'stored', position: 3, effective: false, supersedes: null },
    { outcome: 'stored', position: 4, effective: true, supersedes: 1 },
  ]);
});

it('decide finds repeated revisions and conflicts at the position of the stored one, and gives them none', () => {
  const changed = { ...revisionOf(2), contentHash: 'f'.repeat(32) };
  const drafts = [revisionOf(2), changed, revisionOf(1), revisionOf(6)];
  expect(decide(drafts, [known(5, 1), known(2, 3, false)], 4)).toEqual([
    { outcome: 'duplicate', position: 3 },
    { outcome: 'conflict', position: 3 },
    { outcome: 'stored', position: 5, effective: false, supersedes: null },
    { outcome: 'stored', position: 6, effective: true, supersedes: 1 },
  ]);
});

it('decide takes the earlier records of the same batch into account', () => {
  const changed = { ...revisionOf(3), contentHash: 'f'.repeat(32) };
  const drafts = [revisionOf(1), revisionOf(3), revisionOf(3), changed, revisionOf(2), revisionOf(4)];
  expect(decide(drafts, [], 0)).toEqual([
    { outcome: 'stored', position: 1, effective: true, supersedes: null },
    { outcome: 'stored', position: 2, effective: true, supersedes: 1 },
    { outcome: 'duplicate', position: 2 },
    { outcome: 'conflict', position: 2 },
    { outcome: 'stored', position: 3, effective: false, supersedes: null },
    { outcome: 'stored', position: 4, effective: true, supersedes: 2 },
  ]);
});
