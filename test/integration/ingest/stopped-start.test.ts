import { readKafkaConfig } from '@milepost/kafka/config';
import { inSnapshot } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import { readHealth } from '@milepost/status/log-status';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { runKafkaIngest } from '../../../apps/ingest/kafka/run.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('ingest that stops', () => {
  it('while it waits for the list of lanes reports no fault of Kafka', async () => {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const reported: string[] = [];
    const logger: Logger = pino(
      { level: 'info', messageKey: 'message', errorKey: 'error' },
      { write: (line: string) => void reported.push(JSON.parse(line).message) },
    );
    const stop = new AbortController();
    await runKafkaIngest({
      pool: log.ingest,
      openLanes: async () => {
        stop.abort();
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
      config: readKafkaConfig({ KAFKA_BROKERS: 'localhost:9092' }),
      logger,
      signal: stop.signal,
    });
    expect(reported).toEqual(['the database does not answer: retrying to read the lanes']);
    expect((await inSnapshot(log.operator, readHealth)).kafka_findings).toEqual([]);
  });
});
