import type { ReplayRefusal } from '@milepost/replay';
import { expect, it } from 'vitest';
import type { RefusalReason } from './language/refusal.ts';
import { nextAfter, refusalSentence } from './refusals.ts';

const ofReplay = (reason: ReplayRefusal): RefusalReason => ({ code: 'replay_refused', reason });
const inTheWay = (phase: 'waiting' | 'filling') =>
  ofReplay({ code: 'in_the_way', id: 7, projection: 'trips', phase, wanted: 'build' });
const differing = (differences: number) => ofReplay({ code: 'unexplained_differences', id: 7, differences });
const erased = (code: 'erased' | 'aggregates_kept'): RefusalReason => ({
  code: 'erasure_refused',
  fleet_id: 'acme',
  driver_id: 'd-1',
  reason: { code, position: 9 },
});

it.each<[RefusalReason, string]>([
  [{ code: 'replay_not_found', id: 0 }, 'There is no replay 0.'],
  [{ code: 'audit_not_found', id: -1 }, 'There is no audit with this id.'],
  [{ code: 'lane_not_found', lane: 3, last: 0 }, 'There is no lane 3: the database has only lane 0.'],
  [{ code: 'lane_not_found', lane: -1, last: 2 }, 'There is no lane with this number: the database has lanes 0 to 2.'],
  [{ code: 'driver_not_found', fleet_id: 'acme', driver_id: 'd "1"' }, 'has no driver "d \\"1\\"" in fleet acme.'],
  [{ code: 'driver_not_found', fleet_id: 'acme', driver_id: null }, 'has no driver with this id in fleet acme.'],
  [{ code: 'source_refused', topic: 'trips', partition: 0 }, 'Source trips/0 has no fault'],
  [{ code: 'source_refused', topic: 'trips', partition: -1 }, 'Source trips has no fault'],
  [inTheWay('waiting'), 'Replay 7 of trips is waiting to be promoted.'],
  [inTheWay('filling'), 'Replay 7 of trips is running.'],
  [differing(1), 'Not promoted: 1 row differs'],
  [differing(2), 'Not promoted: 2 rows differ'],
  [
    ofReplay({
      code: 'promoted_apart',
      promotions: [
        { id: 7, projections: ['trips', 'fleets'] },
        { id: 8, projections: ['drivers'] },
      ],
    }),
    '(trips, fleets by replay 7; drivers by replay 8)',
  ],
  [erased('erased'), 'at position 9, and the aggregates were erased too.'],
  [erased('aggregates_kept'), 'at position 9, and the aggregates were kept.'],
])('refusalSentence of %j contains: %s', (reason, part) => expect(refusalSentence(reason)).toContain(part));

const cancel = { operation: 'replay.cancel', input: { id: 7 } };

it.each<[RefusalReason, object[]]>([
  [inTheWay('waiting'), [{ operation: 'replay.promote', input: { id: 7 } }, cancel]],
  [inTheWay('filling'), [cancel]],
  [
    differing(2),
    [
      { operation: 'replay.show', input: { id: 7 } },
      { operation: 'replay.promote', input: { id: 7, accept_differences: true } },
    ],
  ],
  [ofReplay({ code: 'cancelled', id: 7 }), []],
  [erased('aggregates_kept'), [{ operation: 'drivers.erase', input: { fleet_id: 'acme', driver_id: 'd-1' } }]],
  [erased('erased'), []],
])('nextAfter %j returns the useful operations', (reason, actions) => expect(nextAfter(reason)).toEqual(actions));
