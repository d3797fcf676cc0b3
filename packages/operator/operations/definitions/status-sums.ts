import type { Figures, LaneFigures } from './status-schemas.ts';

/** The maximum number of warnings in the status. */
export const MAX_WARNINGS = 50;

type Projection = Figures['projections'][number];
type Source = Figures['sources'][number];

/** Adds up the entries with the same key across all lanes. */
function addUp<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  add: (one: Entry, other: Entry) => Entry,
): Entry[] {
  return [...Map.groupBy(entries, keyOf).values()].map((group) => group.reduce(add));
}

function addProjections(one: Projection, other: Projection): Projection {
  return {
    ...(one.failure === null && other.failure !== null ? other : one),
    checkpoint: one.checkpoint + other.checkpoint,
    lag_events: one.lag_events + other.lag_events,
    lag_seconds: Math.max(one.lag_seconds, other.lag_seconds),
  };
}

/** Prefers a stop to other faults, because only a stop lasts until an operator settles it. */
const severityOf = ({ stopped, fault }: Source) => (stopped ? 2 : fault === null ? 0 : 1);

/** Takes the lower of the lanes' offsets, because this is where ingest reads the partition from. */
function addSources(one: Source, other: Source): Source {
  const { stopped, fault, fault_at } = severityOf(other) > severityOf(one) ? other : one;
  return { ...(other.next_offset < one.next_offset ? other : one), stopped, fault, fault_at };
}

/** Adds up the figures of several lanes, and returns a single lane's figures unchanged. */
export function sumOfLanes(lanes: readonly LaneFigures[]): Figures {
  const sum = (figure: 'head_position' | 'dead_letters' | 'set_aside' | 'files_ended') =>
    lanes.reduce((total, lane) => total + lane[figure], 0);
  const states = lanes.map(({ ingest }) => ingest);
  return {
    head_position: sum('head_position'),
    projections: addUp(
      lanes.flatMap(({ projections }) => projections),
      ({ name }) => name,
      addProjections,
    ),
    dead_letters: sum('dead_letters'),
    set_aside: sum('set_aside'),
    sources: addUp(
      lanes.flatMap(({ sources }) => sources),
      ({ topic, partition }) => `${topic}/${partition}`,
      addSources,
    ),
    ingest: states.find((state) => state === 'missing') ?? states[0] ?? null,
    files_ended: sum('files_ended'),
    kafka_findings: lanes.flatMap(({ kafka_findings }) => kafka_findings),
    warnings: addUp(
      lanes.flatMap(({ warnings }) => warnings),
      ({ topic, reason, field }) => JSON.stringify([topic, reason, field]),
      (one, other) => ({ ...one, records: one.records + other.records }),
    ).slice(0, MAX_WARNINGS),
    replays: lanes.flatMap(({ replays }) => replays),
  };
}
