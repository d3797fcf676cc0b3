import type { PositionRefusal, ReplayRefusal } from '@milepost/replay';
import { describe, expect, it } from 'vitest';
import type { RefusalReason } from './language/refusal.ts';
import { nextAfter, refusalSentence } from './refusal-sentence.ts';

const ofReplay = (reason: ReplayRefusal): RefusalReason => ({ code: 'replay_refused', reason });
const ofPosition = (reason: PositionRefusal): RefusalReason => ({ code: 'position_refused', position: 4, reason });
const inTheWay = (phase: Extract<ReplayRefusal, { code: 'in_the_way' }>['phase']) =>
  ofReplay({ code: 'in_the_way', id: 7, projection: 'trips', phase, wanted: 'build' });
const differing = (differences: number) => ofReplay({ code: 'unexplained_differences', id: 7, differences });
const erased = (code: 'erased' | 'aggregates_kept'): RefusalReason => ({
  code: 'erasure_refused',
  fleet_id: 'acme',
  driver_id: 'd-1',
  reason: { code, position: 9 },
});

describe('the sentence of a refusal', () => {
  it.each<[RefusalReason, string]>([
    [{ code: 'replay_not_found', id: 7 }, 'There is no replay 7.'],
    [{ code: 'replay_not_found', id: 0 }, 'There is no replay 0.'],
    [{ code: 'audit_not_found', id: -1 }, 'There is no audit with this id.'],
    [{ code: 'lane_not_found', lane: 3, last: 0 }, 'There is no lane 3: the database has only lane 0.'],
    [
      { code: 'lane_not_found', lane: -1, last: 2 },
      'There is no lane with this number: the database has lanes 0 to 2.',
    ],
    [
      { code: 'driver_not_found', fleet_id: 'acme', driver_id: 'd "1"' },
      'The log has no driver "d \\"1\\"" in the fleet acme.',
    ],
    [
      { code: 'driver_not_found', fleet_id: 'acme', driver_id: null },
      'The log has no driver with this id in the fleet acme.',
    ],
    [{ code: 'source_refused', topic: 'trips', partition: 0 }, 'The source trips/0 has no fault to resolve.'],
    [{ code: 'source_refused', topic: 'trips', partition: -1 }, 'The source trips has no fault to resolve.'],
    [ofPosition({ code: 'not_stored', head: 3 }), 'The log has no position 4: it ends at position 3.'],
    [
      ofPosition({ code: 'applied', checkpoint: 9 }),
      'Every live read table has applied position 4: only a position after 9 can be set aside, or any position while the read tables wait for the replay of a new version.',
    ],
    [
      ofPosition({ code: 'replayed', id: 7 }),
      'Replay 7 includes position 4: cancel it first, and start it again afterwards.',
    ],
    [ofPosition({ code: 'already_set_aside' }), 'Position 4 is already set aside.'],
    [ofPosition({ code: 'not_set_aside' }), 'Position 4 is not set aside.'],
    [
      ofPosition({ code: 'too_many', most: 100 }),
      '100 positions are set aside, and no more are possible: a fault that concerns so many stored events needs a mended release.',
    ],
    [inTheWay('waiting'), 'Replay 7 of trips is waiting to be promoted.'],
    [inTheWay('filling'), 'Replay 7 of trips is running.'],
    [
      differing(1),
      'Not promoted: 1 row differs from the live read tables, and no version change explains the difference.',
    ],
    [
      differing(2),
      'Not promoted: 2 rows differ from the live read tables, and no version change explains the difference.',
    ],
    [
      ofReplay({ code: 'unknown_projection', name: 'tripz', known: ['trips', 'drivers'] }),
      'There is no projection tripz: it must be one of trips, drivers, several of them separated by commas, or all.',
    ],
    [
      ofReplay({ code: 'no_read_table', projection: 'trips' }),
      'Projection trips has no read table yet: the database must be migrated to this release first.',
    ],
    [
      ofReplay({ code: 'ended', id: 7, phase: 'cancelling', action: 'pause' }),
      'Replay 7 is cancelling: there is nothing to pause.',
    ],
    [
      ofReplay({ code: 'waits_for_promotion', id: 7 }),
      'Replay 7 is waiting to be promoted: there is nothing to pause.',
    ],
    [ofReplay({ code: 'under_way', id: 7 }), 'Replay 7 is running.'],
    [ofReplay({ code: 'cancelled', id: 7 }), 'Replay 7 was cancelled, and its tables are already dropped.'],
    [
      ofReplay({ code: 'no_earlier_generation', projection: 'trips' }),
      'There is nothing to roll trips back to: no replaced generation of it is kept.',
    ],
    [
      ofReplay({ code: 'earlier_version', projection: 'trips', generation: 2, version: 3, releaseVersion: 4 }),
      'Generation 2 of trips belongs to version 3, and this release has version 4: roll back with the release that built it.',
    ],
    [
      ofReplay({
        code: 'promoted_apart',
        promotions: [
          { id: 7, projections: ['trips', 'fleets'] },
          { id: 8, projections: ['drivers'] },
        ],
      }),
      'Different replays promoted these projections (trips, fleets by replay 7; drivers by replay 8): name only projections that one replay promoted.',
    ],
    [erased('erased'), 'The driver was already erased at position 9, and the aggregates were erased too.'],
    [erased('aggregates_kept'), 'The driver was already erased at position 9, and the aggregates were kept.'],
  ])('%j is: %s', (reason, sentence) => {
    expect(refusalSentence(reason)).toBe(sentence);
  });
});

describe('the operations after a refusal', () => {
  const cancel = { operation: 'replay.cancel', input: { id: 7 } };

  it.each<[RefusalReason, object[]]>([
    [inTheWay('waiting'), [{ operation: 'replay.promote', input: { id: 7 } }, cancel]],
    [inTheWay('filling'), [cancel]],
    [ofReplay({ code: 'under_way', id: 7 }), [cancel]],
    [
      differing(2),
      [
        { operation: 'replay.show', input: { id: 7 } },
        { operation: 'replay.promote', input: { id: 7, accept_differences: true } },
      ],
    ],
    [ofReplay({ code: 'cancelled', id: 7 }), []],
    [{ code: 'dead_letter_not_found', id: 7 }, [{ operation: 'dead-letters.list', input: { all: true } }]],
    [erased('aggregates_kept'), [{ operation: 'drivers.erase', input: { fleet_id: 'acme', driver_id: 'd-1' } }]],
    [erased('erased'), []],
    [{ code: 'queue_unavailable' }, []],
  ])('%j are the useful ones', (reason, actions) => {
    expect(nextAfter(reason)).toEqual(actions);
  });
});
