import { type Capacity, costsOfTrip, type Load, MODEL } from '../../../apps/cli/size/capacity.ts';

/** A deployment's resources. Each ingest process has its own machine, and so does each lane's server. */
type Deployment = Pick<Capacity, 'processors' | 'ingest_processes' | 'projector_processes' | 'partitions' | 'lanes'>;

/** PostgreSQL writes each row to the write-ahead log and to its table. */
const WRITES_PER_BYTE = 2;

const STEP_SECONDS = 10;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const BUSIEST_HOUR = { from: 12 * HOUR_SECONDS, to: 13 * HOUR_SECONDS };
/** For a minute in the busiest hour, nothing is stored or folded, as if all processes were being restarted. */
const PAUSE = { from: 12.5 * HOUR_SECONDS, to: 12.5 * HOUR_SECONDS + 60 };
/** A pipeline at half load needs 60 seconds to drain the backlog from this pause. */
const MAX_DRAIN_SECONDS = 120;

/**
 * The fraction of each part's capacity used by one trip per second; for disk space, the fraction used by a single trip.
 */
type Uses = Readonly<Record<Part, number>>;

/** The parts of a deployment that a load can saturate. */
type Part =
  | 'processors'
  | 'network to ingest'
  | 'ingest processes'
  | 'log heads of the lanes'
  | 'disk writes of the lanes'
  | 'disk space of the lanes'
  | 'projector processes'
  | 'folds of the lanes';

/** The parts that limit how many trips are stored, and the parts that limit how many are folded. */
const STORING: readonly Part[] = [
  'network to ingest',
  'ingest processes',
  'log heads of the lanes',
  'disk writes of the lanes',
];
const FOLDING: readonly Part[] = ['projector processes', 'folds of the lanes'];

/** Returns the trips per second at a time of day. There is one busiest hour, and all other hours have the same rate. */
function rateAt(seconds: number, { tripsPerDay, peakFactor }: Load): number {
  const isBusiest = seconds >= BUSIEST_HOUR.from && seconds < BUSIEST_HOUR.to;
  return (tripsPerDay / DAY_SECONDS) * (isBusiest ? peakFactor : (24 - peakFactor) / 23);
}

function usesOf(deployment: Deployment, load: Load): Uses {
  const { processors, ingest_processes, projector_processes, partitions, lanes } = deployment;
  const costs = costsOfTrip(load.pointsPerTrip);
  // A partition belongs to one process.
  const reading = Math.min(ingest_processes, partitions);
  return {
    processors: (costs.seconds * MODEL.measuredProcessors) / processors,
    'network to ingest': (costs.jsonBytes * 8) / MODEL.networkBitsPerSecond / reading,
    'ingest processes': costs.ingestSeconds / reading,
    'log heads of the lanes': costs.postgresSeconds / lanes,
    'disk writes of the lanes': (costs.databaseBytes * WRITES_PER_BYTE) / (MODEL.diskGigabytesPerSecond * 1e9) / lanes,
    'disk space of the lanes': (costs.databaseBytes * MODEL.diskReserve) / (MODEL.maxServerGigabytes * 1e9) / lanes,
    'projector processes': costs.projectorSeconds / projector_processes,
    'folds of the lanes': costs.laneSeconds / lanes,
  };
}

/**
 * Returns the part that a growing load would saturate first, and how much of it is used in the busiest hour. Above 1,
 * the part is saturated. The disks must have space for all trips that are kept.
 */
function mostUsed(uses: Uses, load: Load): { limit: Part; use: number } {
  const rate = rateAt(BUSIEST_HOUR.from, load);
  const all = [...STORING, ...FOLDING, 'processors' as const].map((limit) => ({ limit, use: uses[limit] * rate }));
  const space = 'disk space of the lanes';
  all.push({ limit: space, use: uses[space] * load.tripsPerDay * load.daysKept });
  return all.reduce((most, each) => (each.use > most.use ? each : most));
}

/**
 * Simulates the last day of the retention period. Fleets are spread evenly over partitions and lanes. A load is
 * sustained if the backlog from the pause is drained in time and all trips are readable at the end of the day.
 */
export function simulateDay(deployment: Deployment, load: Load) {
  const uses = usesOf(deployment, load);
  const most = (parts: readonly Part[]) => STEP_SECONDS / Math.max(...parts.map((part) => uses[part]));
  const [storable, foldable] = [most(STORING), most(FOLDING)];
  const folding = costsOfTrip(load.pointsPerTrip).projectorSeconds / deployment.processors;
  const space = 1 / uses['disk space of the lanes'] - load.tripsPerDay * (load.daysKept - 1);
  let [stored, folded, oldest, maxLagSeconds] = [0, 0, 0, 0];
  let drainedAt = Number.POSITIVE_INFINITY;
  /** How many trips had arrived by the end of each step. */
  const arrived: number[] = [];
  for (let seconds = 0; seconds < DAY_SECONDS; seconds += STEP_SECONDS) {
    const total = (arrived.at(-1) ?? 0) + rateAt(seconds, load) * STEP_SECONDS;
    arrived.push(total);
    if (seconds < PAUSE.from || seconds >= PAUSE.to) {
      const toStore = Math.max(0, Math.min(total - stored, storable, space - stored));
      const toFold = Math.min(stored + toStore - folded, foldable);
      const busySeconds = toStore * (uses.processors - folding) + toFold * folding;
      // The processors are shared fairly.
      const share = Math.min(1, STEP_SECONDS / busySeconds);
      stored += toStore * share;
      folded = Math.min(stored, folded + toFold * share);
    }
    // Sums of rounded numbers may differ, but by less than one trip.
    while (oldest < arrived.length && (arrived[oldest] ?? 0) <= folded + 1) oldest += 1;
    maxLagSeconds = Math.max(maxLagSeconds, (arrived.length - oldest) * STEP_SECONDS);
    if (seconds >= PAUSE.to && oldest === arrived.length) drainedAt = Math.min(drainedAt, seconds + STEP_SECONDS);
  }
  const isSustained = drainedAt - PAUSE.to <= MAX_DRAIN_SECONDS && oldest === arrived.length;
  return { ...mostUsed(uses, load), maxLagSeconds, isSustained };
}
