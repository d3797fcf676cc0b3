import { expect, it } from 'vitest';
import type { LaneFigures } from './status-schemas.ts';
import { sumOfLanes } from './status-sums.ts';

function laneOf(lane: number, figures: Partial<LaneFigures>): LaneFigures {
  return {
    lane,
    name: `milepost_lane_${lane}`,
    head_position: 0,
    projections: [],
    dead_letters: 0,
    set_aside: 0,
    sources: [],
    ingest: null,
    kafka_findings: [],
    files_ended: 0,
    warnings: [],
    replays: [],
    ...figures,
  };
}

const TRIPS = {
  name: 'trips',
  version: 2,
  generation: 1,
  checkpoint: 10,
  lag_events: 1,
  lag_seconds: 0.5,
  failed_position: null,
  failure: null,
};
const SOURCE = {
  topic: 'milepost.trips',
  partition: 0,
  next_offset: 50,
  stopped: false,
  fault: null,
  fault_at: null,
  end_offset: 60,
  lag: 10,
};

it('sumOfLanes equals the figures of the lane if there is only one', () => {
  const own = laneOf(0, { head_position: 7, projections: [TRIPS], sources: [SOURCE], ingest: 'running' });
  const { lane: _, name: __, ...figures } = own;
  expect(sumOfLanes([own])).toEqual(figures);
});

it('sumOfLanes adds counts and positions, and takes the longest lag', () => {
  const slow = { ...TRIPS, generation: 4, checkpoint: 20, lag_events: 30, lag_seconds: 9 };
  const sums = sumOfLanes([
    laneOf(0, { head_position: 11, dead_letters: 1, set_aside: 4, files_ended: 2, projections: [TRIPS] }),
    laneOf(1, { head_position: 50, dead_letters: 2, set_aside: 5, files_ended: 3, projections: [slow] }),
  ]);
  expect(sums).toMatchObject({ head_position: 61, dead_letters: 3, set_aside: 9, files_ended: 5 });
  expect(sums.projections).toEqual([{ ...TRIPS, checkpoint: 30, lag_events: 31, lag_seconds: 9 }]);
});

it('sumOfLanes shows the failure of any lane, with the version that fails', () => {
  const failed = { ...TRIPS, version: 1, failed_position: 8, failure: 'planted' };
  const { projections } = sumOfLanes([laneOf(0, { projections: [TRIPS] }), laneOf(1, { projections: [failed] })]);
  expect(projections).toMatchObject([{ version: 1, failed_position: 8, failure: 'planted', checkpoint: 20 }]);
});

it('sumOfLanes shows a partition at its lowest offset, with the fault of any lane, preferably with a stop', () => {
  const behind = { ...SOURCE, next_offset: 40, lag: 20 };
  const unreadable = { ...SOURCE, fault: 'planted', fault_at: new Date('2025-01-15T08:00:00Z') };
  const stopped = { ...SOURCE, stopped: true, fault: 'other', fault_at: new Date('2025-01-15T09:00:00Z') };
  const sumOf = (...sources: LaneFigures['sources']) =>
    sumOfLanes(sources.map((source, lane) => laneOf(lane, { sources: [source] }))).sources;
  expect(sumOf(SOURCE, unreadable)).toEqual([unreadable]);
  expect(sumOf(unreadable, stopped)).toEqual([stopped]);
  const { fault, fault_at } = stopped;
  expect(sumOf(SOURCE, behind, stopped)).toEqual([{ ...behind, stopped: true, fault, fault_at }]);
});

it('sumOfLanes adds the warnings with the same reason', () => {
  const warning = { topic: 'milepost.trips', reason: 'start_long_ago', field: '', records: 2 };
  const others = [{ field: '/events' }, { topic: 'milepost.other' }].map((fields) => ({ ...warning, ...fields }));
  const sums = sumOfLanes([laneOf(0, { warnings: [warning, ...others] }), laneOf(1, { warnings: [warning] })]);
  expect(sums.warnings).toEqual([{ ...warning, records: 4 }, ...others]);
});

it('sumOfLanes shows at most fifty warnings', () => {
  const warnings = Array.from({ length: 51 }, (_, index) => {
    return { topic: 'milepost.trips', reason: `reason ${index}`, field: '', records: 1 };
  });
  const lanes = [laneOf(0, { warnings: warnings.slice(0, 30) }), laneOf(1, { warnings: warnings.slice(30) })];
  expect(sumOfLanes(lanes).warnings).toEqual(warnings.slice(0, 50));
});

it('sumOfLanes keeps partitions and topics apart', () => {
  const other = { ...SOURCE, partition: 1, next_offset: 1 };
  const topic = { ...SOURCE, topic: 'milepost.drivers', next_offset: 2 };
  const lanes = [laneOf(0, { sources: [SOURCE, other] }), laneOf(1, { sources: [topic] })];
  expect(sumOfLanes(lanes).sources).toEqual([SOURCE, other, topic]);
});

it.each([
  [null, null, null],
  ['running', 'running', 'running'],
  ['running', 'missing', 'missing'],
] as const)('sumOfLanes combines the ingest states %s and %s into %s', (first, second, sum) => {
  expect(sumOfLanes([laneOf(0, { ingest: first }), laneOf(1, { ingest: second })]).ingest).toBe(sum);
});
