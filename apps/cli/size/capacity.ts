/** The expected load of all fleets. Exported for tests. */
export interface Load {
  tripsPerDay: number;
  /** The trail points of an average trip. */
  pointsPerTrip: number;
  daysKept: number;
  /** The rate of the busiest hour, as a multiple of the average rate. */
  peakFactor: number;
}

/** The benchmarks' smallest trip, with its costs as measured by them (docs/performance.md). Exported for tests. */
export const SMALL_TRIP = {
  points: 10,
  databaseBytes: 1_629,
  jsonBytes: 2_087,
  /** The trips per second read from Kafka, stored and folded by two processors that also run Kafka and PostgreSQL. */
  tripsPerSecond: 17_163,
  /** The processor time that a trip takes in each part of the pipeline. */
  ingestMicroseconds: 57,
  postgresMicroseconds: 47,
  projectorMicroseconds: 6,
};

/** The benchmarks' standard trip. Exported for tests. */
export const STANDARD_TRIP: typeof SMALL_TRIP = {
  points: 300,
  databaseBytes: 2_557,
  jsonBytes: 27_234,
  tripsPerSecond: 6_247,
  ingestMicroseconds: 170,
  postgresMicroseconds: 59,
  projectorMicroseconds: 21,
};

const DISK_GIGABYTES_PER_SECOND = 0.5;
/** A server must be small enough to be restored from its backup within a few hours: 4 TB takes 2.2 hours. */
const MAX_RESTORE_SECONDS = 8_000;

/** The measurements and assumptions that the simulated day and the tests share. Exported for tests. */
export const MODEL = {
  /** The processors of the machine on which the trips' costs were measured. */
  measuredProcessors: 2,
  /** The trips per second in a replay of all read tables with the verification. A replay does not read trails. */
  replayedTripsPerSecond: 26_972,
  /** A replay builds read tables alongside the live ones, and PostgreSQL needs space for its write-ahead log. */
  diskReserve: 2,
  diskGigabytesPerSecond: DISK_GIGABYTES_PER_SECOND,
  maxServerGigabytes: DISK_GIGABYTES_PER_SECOND * MAX_RESTORE_SECONDS,
  /** The assumed network speed of each ingest process. */
  networkBitsPerSecond: 1e9,
} as const;

/**
 * The largest share of the time for which a part may be busy. Above it, trips would be delayed, because bursts exceed
 * the hour's average and a backlog drains slowly.
 */
const MAX_BUSY_SHARE = 0.5;
const KAFKA_DAYS = 7;
/** Operators want a replay to finish overnight. */
const MAX_REPLAY_HOURS = 12;
const PROCESS_GIGABYTES = 0.5;
/** PostgreSQL responds fastest if the rows of recent weeks are in its cache. Trails are rarely read. */
const CACHED_DAYS = 14;
const MIN_CACHE_GIGABYTES = 1;
/** With two processes of each kind, replacing one of them does not cause an outage. */
const MIN_PROCESSES = 2;
const MIN_PARTITIONS = 6;

const SECONDS_PER_DAY = 86_400;
const GIGABYTE = 1e9;

/** Rounds up, but ignores an excess that is only a rounding error. */
const wholeUnits = (units: number) => Math.ceil(units - 1e-9);

/**
 * Returns what an average trip costs in each part of the pipeline. If two processors run the whole pipeline, the trip
 * occupies both processors for `seconds`. A lane folds one batch at a time, and the trip occupies its lane for
 * `laneSeconds`. `laneSeconds` is an upper limit: it includes all of PostgreSQL's work, although an append locks the
 * head of the log only for a part of that time. Exported for tests.
 */
export function costsOfTrip(points: number) {
  /** Interpolates a measurement that grows with the number of points, such as bytes or seconds per trip. */
  const interpolate = (figure: (trip: typeof SMALL_TRIP) => number) => {
    const [small, standard] = [figure(SMALL_TRIP), figure(STANDARD_TRIP)];
    const perPoint = (standard - small) / (STANDARD_TRIP.points - SMALL_TRIP.points);
    return small + perPoint * (points - SMALL_TRIP.points);
  };
  const postgresSeconds = interpolate((trip) => trip.postgresMicroseconds) / 1e6;
  const projectorSeconds = interpolate((trip) => trip.projectorMicroseconds) / 1e6;
  return {
    databaseBytes: interpolate((trip) => trip.databaseBytes),
    jsonBytes: interpolate((trip) => trip.jsonBytes),
    seconds: interpolate((trip) => 1 / trip.tripsPerSecond),
    ingestSeconds: interpolate((trip) => trip.ingestMicroseconds) / 1e6,
    postgresSeconds,
    projectorSeconds,
    laneSeconds: postgresSeconds + projectorSeconds,
  };
}

/**
 * Estimates the resources for a load from the measurements in docs/performance.md. A trip's cost consists of a constant
 * part and a part that grows with the number of points. A replay runs in all lanes concurrently, each on its own
 * server. docs/scale.md describes the model and its limits.
 */
export function estimate({ tripsPerDay, pointsPerTrip, daysKept, peakFactor }: Load) {
  const peak = (tripsPerDay / SECONDS_PER_DAY) * peakFactor;
  const costs = costsOfTrip(pointsPerTrip);
  /** Returns how many units are needed so that each is busy at most half the time in the busiest hour. */
  const unitsFor = (secondsPerTrip: number) => (peak * secondsPerTrip) / MAX_BUSY_SHARE;
  const keptTrips = tripsPerDay * daysKept;
  const database = (keptTrips * costs.databaseBytes * MODEL.diskReserve) / GIGABYTE;
  const replayHours = keptTrips / MODEL.replayedTripsPerSecond / 3_600;
  const lanesFor = [database / MODEL.maxServerGigabytes, replayHours / MAX_REPLAY_HOURS, unitsFor(costs.laneSeconds)];
  const lanes = Math.max(1, ...lanesFor.map(wholeUnits));
  const networkSeconds = (costs.jsonBytes * 8) / MODEL.networkBitsPerSecond;
  const ingestProcesses = Math.max(MIN_PROCESSES, wholeUnits(unitsFor(Math.max(costs.seconds, networkSeconds))));
  const projectorProcesses = Math.max(MIN_PROCESSES, wholeUnits(unitsFor(costs.projectorSeconds)));
  const cache = Math.max(
    MIN_CACHE_GIGABYTES,
    (tripsPerDay * Math.min(CACHED_DAYS, daysKept) * SMALL_TRIP.databaseBytes) / GIGABYTE,
  );
  // The last two terms are the API processes and one `ops` process.
  const processes = ingestProcesses + projectorProcesses + MIN_PROCESSES + 1;
  return {
    peak_trips_per_second: peak,
    peak_megabits_per_second: (peak * costs.jsonBytes * 8) / 1e6,
    kept_trips: keptTrips,
    database_gigabytes: database,
    kafka_gigabytes: (tripsPerDay * KAFKA_DAYS * costs.jsonBytes) / GIGABYTE,
    processors: Math.max(MODEL.measuredProcessors, wholeUnits(unitsFor(costs.seconds) * MODEL.measuredProcessors)),
    memory_gigabytes: processes * PROCESS_GIGABYTES + cache,
    ingest_processes: ingestProcesses,
    projector_processes: projectorProcesses,
    api_processes: MIN_PROCESSES,
    partitions: Math.max(MIN_PARTITIONS, 2 * ingestProcesses),
    lanes,
    replay_hours: replayHours / lanes,
  };
}

/** The resources that a load needs. Exported for tests. */
export type Capacity = ReturnType<typeof estimate>;

const COUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

function sizeText(gigabytes: number): string {
  if (gigabytes >= 1_000) return `${COUNT.format(gigabytes / 1_000)} TB`;
  return gigabytes >= 1 ? `${COUNT.format(gigabytes)} GB` : `${COUNT.format(gigabytes * 1_000)} MB`;
}

/** Returns an estimate as human-readable lines, each with a resource, its amount and the unit. */
export function sizeRows(capacity: Capacity): [string, string][] {
  return [
    ['trips in the busiest hour', `${COUNT.format(capacity.peak_trips_per_second)}/s`],
    ['network to ingest in the busiest hour', `${COUNT.format(capacity.peak_megabits_per_second)} Mbit/s`],
    ['stored trips', WHOLE.format(capacity.kept_trips)],
    ['disk space for PostgreSQL', sizeText(capacity.database_gigabytes)],
    ['disk space for Kafka (7 days, one replica)', sizeText(capacity.kafka_gigabytes)],
    ['processors', WHOLE.format(capacity.processors)],
    ['memory', sizeText(capacity.memory_gigabytes)],
    ['ingest processes', WHOLE.format(capacity.ingest_processes)],
    ['projector processes', WHOLE.format(capacity.projector_processes)],
    ['API processes', WHOLE.format(capacity.api_processes)],
    ['partitions in the trips topic', WHOLE.format(capacity.partitions)],
    ['lanes', WHOLE.format(capacity.lanes)],
    ['replay of all read tables', `${COUNT.format(capacity.replay_hours)} h`],
  ];
}
