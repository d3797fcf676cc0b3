import { Kafka, logLevel } from 'kafkajs';
import { Pool } from 'pg';

/**
 * The peer, which is a simple service that a developer can write in an hour. It stores messages as rows of one table,
 * with the keys and the record as jsonb, and uses one multi-row INSERT per batch. It does not check, sum or prepare
 * anything. The client commits the offsets. Arguments: brokers, topic, consumer group, database address. After each
 * INSERT, the service tells its parent process how many trips the table contains.
 */
const [brokers = '', topic = '', groupId = '', url = ''] = process.argv.slice(2);

const ROWS_PER_INSERT = 500;
const HEARTBEAT_MILLISECONDS = 3_000;

interface Trip {
  fleet_id: string;
  source_trip_id: string;
  driver_id: string;
  trip_start_time: number;
}

const pool = new Pool({ connectionString: url, max: 4 });

/** The INSERT statements by number of rows. In a batch, only the last statement may have fewer rows than the others. */
const statements = new Map<number, { name: string; text: string }>();

function insertOf(rows: number): { name: string; text: string } {
  const known = statements.get(rows);
  if (known) return known;
  const values = Array.from({ length: rows }, (_, row) => {
    const first = row * 4;
    return `($${first + 1}, $${first + 2}, $${first + 3}, $${first + 4})`;
  });
  const text = `INSERT INTO trips (trip_id, driver_id, start, record) VALUES ${values.join(', ')} ON CONFLICT DO NOTHING`;
  const statement = { name: `insert-${rows}`, text };
  statements.set(rows, statement);
  return statement;
}

let stored = 0;

async function store(texts: readonly string[]): Promise<void> {
  const values = texts.flatMap((text) => {
    const trip: Trip = JSON.parse(text);
    return [`${trip.fleet_id}/${trip.source_trip_id}`, trip.driver_id, new Date(trip.trip_start_time), text];
  });
  const { rowCount } = await pool.query({ ...insertOf(texts.length), values });
  stored += rowCount ?? 0;
  process.send?.(stored);
}

const kafka = new Kafka({ clientId: 'naive-service', brokers: brokers.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({
  groupId,
  sessionTimeout: 30_000,
  heartbeatInterval: HEARTBEAT_MILLISECONDS,
  maxBytesPerPartition: 8 * 1024 * 1024,
  maxBytes: 32 * 1024 * 1024,
  maxWaitTimeInMs: 500,
});
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: 2,
  eachBatch: async ({ batch, resolveOffset, heartbeat, isRunning, isStale }) => {
    for (let first = 0; first < batch.messages.length; first += ROWS_PER_INSERT) {
      if (!isRunning() || isStale()) return;
      const messages = batch.messages.slice(first, first + ROWS_PER_INSERT);
      await store(messages.flatMap(({ value }) => (value === null ? [] : [value.toString()])));
      const last = messages.at(-1);
      if (last) resolveOffset(last.offset);
      await heartbeat();
    }
  },
});

process.once('SIGTERM', async () => {
  await consumer.disconnect();
  await pool.end();
  process.disconnect();
});
