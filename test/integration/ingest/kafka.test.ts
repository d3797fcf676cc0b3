import { randomUUID } from 'node:crypto';
import { tripId } from '@milepost/domain/trip-id';
import { readHeadPosition } from '@milepost/event-log/head';
import { prepareTopics } from '@milepost/kafka/topics';
import { traceTrip } from '@milepost/lineage';
import { type Admin, CompressionTypes, type IHeaders, Kafka, logLevel } from 'kafkajs';
import { expect, it, onTestFinished } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { startIngest } from '../../support/running-ingest.ts';
import { describeWithKafka } from '../../support/service-suites.ts';
import { Topics } from '../../support/topics.ts';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A record's headers, and which `traceparent` the log must keep. */
const CASES: readonly { headers: IHeaders; kept: string | null }[] = [
  { headers: {}, kept: null },
  { headers: { traceparent: TRACE }, kept: TRACE },
  { headers: { tenant: 'first', empty: '', traceparent: TRACE, tracestate: 'vendor=1' }, kept: TRACE },
  // A later version may append fields.
  { headers: { traceparent: `${TRACE.replace('00', '01')}-later` }, kept: TRACE.replace('00', '01') },
  { headers: { traceparent: TRACE.toUpperCase() }, kept: null },
  { headers: { traceparent: TRACE.slice(1) }, kept: null },
  { headers: { large: 'x'.repeat(20_000), traceparent: TRACE }, kept: null },
  { headers: { traceparent: `${TRACE}x` }, kept: null },
  { headers: { tracestate: TRACE }, kept: null },
  { headers: { name: 'traceparent' }, kept: null },
];

describeWithKafka('the trace of a record', (brokers) => {
  it('is kept with its source, and is shown with the stored event', async () => {
    const topics = untilTestEnds(await Topics.create(brokers));
    const log = untilTestEnds(await openPipeline([]));
    const producer = topics.kafka.producer();
    await producer.connect();
    await producer.send({
      topic: topics.names.trips,
      compression: CompressionTypes.GZIP,
      messages: CASES.map(({ headers }, index) => ({
        key: 'acme/driver',
        partition: 0,
        value: JSON.stringify(tripProcessed({ source_trip_id: `trip-${index}` })),
        headers,
      })),
    });
    await producer.disconnect();
    const ingest = startIngest(log, topics.settings(brokers));
    onTestFinished(ingest.stop);
    await expect.poll(() => readHeadPosition(log.owner)).toBe(CASES.length);

    const traces = CASES.map(async (_each, index) => {
      const trace = await traceTrip(log.operator, tripId('acme', `trip-${index}`));
      return trace?.stored_events.map(({ traceparent }) => traceparent);
    });
    expect(await Promise.all(traces)).toEqual(CASES.map(({ kept }) => [kept]));
  });
});

describeWithKafka('ingest that finds no topic', (brokers) => {
  async function connect() {
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    onTestFinished(async () => await admin.disconnect());
    return admin;
  }

  it('reads the topic that another process creates at the same time, without a finding', async () => {
    const [first, second] = [await connect(), await connect()];
    const topic = `trips-${randomUUID()}`;
    onTestFinished(async () => await first.deleteTopics({ topics: [topic] }));
    const prepare = async (admin: Admin) => await prepareTopics(admin, [topic], 'The client', 'READ');
    const listTopics = second.listTopics.bind(second);
    second.listTopics = async () => {
      const topics = await listTopics();
      expect(await prepare(first)).toEqual({ visible: [topic], created: [topic], findings: [] });
      return topics;
    };
    expect(await prepare(second)).toEqual({ visible: [topic], created: [], findings: [] });
  });
});
