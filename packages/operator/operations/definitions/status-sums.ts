import { MAX_WARNINGS } from '@milepost/status/log-status';
import type { Figures, LaneFigures } from './status-schemas.ts';

type Projection = Figures['projections'][number];
type Source = Figures['sources'][number];
type WarningCount = Figures['warnings'][number];

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Adds up the entries with the same key across all lanes. */
function addUp<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  add: (entries: readonly [Entry, ...Entry[]]) => Entry,
): Entry[] {
  const groups = Map.groupBy(entries, keyOf).values();
  return [...groups].flatMap(([first, ...others]) => (first === undefined ? [] : [add([first, ...others])]));
}

function addProjections(entries: readonly [Projection, ...Projection[]]): Projection {
  return {
    ...(entries.find(({ failure }) => failure !== null) ?? entries[0]),
    checkpoint: sum(entries.map(({ checkpoint }) => checkpoint)),
    lag_events: sum(entries.map(({ lag_events }) => lag_events)),
    lag_seconds: Math.max(...entries.map(({ lag_seconds }) => lag_seconds)),
  };
}

/**
 * Takes the lowest of the lanes' offsets, because this is where ingest reads the partition from. Prefers a stop to
 * other faults, because only a stop lasts until an operator settles it.
 */
function addSources(entries: readonly [Source, ...Source[]]): Source {
  const { stopped, fault, fault_at } =
    entries.find((entry) => entry.stopped) ?? entries.find((entry) => entry.fault !== null) ?? entries[0];
  const lowest = entries.reduce((one, other) => (other.next_offset < one.next_offset ? other : one));
  return { ...lowest, stopped, fault, fault_at };
}

function addWarnings(entries: readonly [WarningCount, ...WarningCount[]]): WarningCount {
  return { ...entries[0], records: sum(entries.map(({ records }) => records)) };
}

/** Adds up the figures of several lanes, and returns a single lane's figures unchanged. */
export function sumOfLanes(lanes: readonly LaneFigures[]): Figures {
  const states = lanes.map(({ ingest }) => ingest);
  return {
    head_position: sum(lanes.map(({ head_position }) => head_position)),
    projections: addUp(
      lanes.flatMap(({ projections }) => projections),
      ({ name }) => name,
      addProjections,
    ),
    dead_letters: sum(lanes.map(({ dead_letters }) => dead_letters)),
    set_aside: sum(lanes.map(({ set_aside }) => set_aside)),
    sources: addUp(
      lanes.flatMap(({ sources }) => sources),
      ({ topic, partition }) => `${topic}/${partition}`,
      addSources,
    ),
    ingest: states.find((state) => state === 'missing') ?? states[0] ?? null,
    files_ended: sum(lanes.map(({ files_ended }) => files_ended)),
    kafka_findings: lanes.flatMap(({ kafka_findings }) => kafka_findings),
    warnings: addUp(
      lanes.flatMap(({ warnings }) => warnings),
      ({ topic, reason, field }) => JSON.stringify([topic, reason, field]),
      addWarnings,
    ).slice(0, MAX_WARNINGS),
    replays: lanes.flatMap(({ replays }) => replays),
  };
}
