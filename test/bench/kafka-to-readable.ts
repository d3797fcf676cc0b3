import { Pool } from 'pg';
import { type BacklogFigures, describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startKafkaNaive } from './support/kafka-naive.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { SMALL, STANDARD, type TripSize, tripRecords } from './support/trip-records.ts';

/** Of the standard size; of the small one ten times as many. */
const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 18_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** `standard` or `small`; both unless told. */
const ONLY = process.env['BENCH_ONLY'];
/** `off`: Milepost alone, for profiles. */
const PEER = process.env['BENCH_PEER'] !== 'off';

const PARTS = [
  { size: STANDARD, trips: TRIPS, goal: 4 },
  { size: SMALL, trips: TRIPS * 10, goal: 1 },
].filter(({ size }) => ONLY === undefined || ONLY === size.name);

interface Setting {
  milepost: BenchMilepost;
  broker: Broker;
  topics: Topics;
  trips: number;
}

async function milepostRound({ milepost, broker, topics, trips }: Setting): Promise<BacklogFigures> {
  const service = await startKafkaMilepost(milepost, broker, topics);
  try {
    const figures = await workThrough(service, trips);
    await assertWhole(service.pool, trips);
    return figures;
  } finally {
    await service.stop();
  }
}

async function naiveRound({ milepost, broker, topics, trips }: Setting): Promise<BacklogFigures> {
  const service = await startKafkaNaive(milepost, broker, topics);
  try {
    return await workThrough(service, trips);
  } finally {
    await service.stop();
  }
}

/** Rounds in turns over one backlog, each from nothing. */
async function measure(
  setting: Omit<Setting, 'topics'>,
  size: TripSize,
  goal: number,
): Promise<{ measurements: Measurement[]; bytesPerRecord: number }> {
  const topics = await setting.broker.makeTopics();
  const { bytesPerRecord } = await publish(setting.broker, topics, tripRecords(size, setting.trips));
  const rounds: { milepost: BacklogFigures; naive: BacklogFigures | null }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const naive = PEER ? await naiveRound({ ...setting, topics }) : null;
    if (naive) console.log(describeBacklog(`${size.name}, round ${round}, naive service`, naive));
    const milepost = await milepostRound({ ...setting, topics });
    console.log(describeBacklog(`${size.name}, round ${round}, Milepost`, milepost));
    rounds.push({ milepost, naive });
  }
  const compare = (figureOf: (figures: BacklogFigures) => number) => ({
    milepost: rounds.map(({ milepost }) => figureOf(milepost)),
    against: PEER
      ? { name: 'naive service', figures: rounds.flatMap(({ naive }) => (naive ? [figureOf(naive)] : [])) }
      : null,
  });
  const measurements: Measurement[] = [
    {
      work: `${size.name} trips, Kafka to readable, steady`,
      unit: 'trips/s',
      ...compare((figures) => figures.tripsPerSecond),
      goal: PEER ? { is: 'at least', value: goal } : null,
    },
    {
      work: `${size.name} trips, from the start of the processes until all are readable`,
      unit: 's',
      ...compare((figures) => figures.secondsFromStart),
      goal: null,
    },
  ];
  return { measurements, bytesPerRecord };
}

/**
 * A backlog in Kafka until all of it is readable: Milepost's `ingest` and `projector` into all read tables against a naive
 * service into one table, the same broker, PostgreSQL and records, in turns. Both rates run from the moment when a tenth
 * of the trips was stored, so neither pays for its start, until all are readable.
 */
const milepost = await startMilepost();
let broker: Broker | null = null;
try {
  broker = await startBroker();
  const measurements: Measurement[] = [];
  const sizes: Record<string, string | number> = { rounds: `${ROUNDS} in turns`, partitions: PARTITIONS };
  for (const { size, trips, goal } of PARTS) {
    const part = await measure({ milepost, broker, trips }, size, goal);
    measurements.push(...part.measurements);
    sizes[`${size.name} trips`] =
      `${trips} of ${size.points} points, ${part.bytesPerRecord.toFixed(0)} bytes of JSON each`;
    sizes[`${size.name} trips, drivers and days`] = `${size.drivers} and ${size.days}`;
  }
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  await report('kafka-to-readable', measurements, sizes, database);
  await database.end();
} finally {
  await broker?.stop();
  await milepost.stop();
}
