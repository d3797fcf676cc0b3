import { addKafkaFinding } from '@milepost/event-log';
import type { Logger } from '@milepost/service';
import { readLogStatus } from '@milepost/status/log-status';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { readKafkaConfig } from '../../../apps/ingest/config.ts';
import { runKafkaIngest } from '../../../apps/ingest/kafka/run.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('an outage of Kafka', () => {
  it('is logged once as an error, even when it begins while the coordinator of the group is loading', async () => {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const lines: { level: number; message: string }[] = [];
    const logger: Logger = pino(
      { level: 'debug', messageKey: 'message', errorKey: 'error', base: {} },
      {
        write: (line: string) => {
          const { level, message } = JSON.parse(line);
          lines.push({ level, message });
        },
      },
    );
    const loading = () => Object.assign(new Error('The group is loading'), { type: 'GROUP_LOAD_IN_PROGRESS' });
    const errors = [loading(), loading(), new Error('The broker is away'), new Error('The broker is away')];
    const stop = new AbortController();
    await addKafkaFinding(log.ingest, { topic: null, code: 'group_denied', isWarning: false, message: 'Earlier.' });
    await runKafkaIngest({
      pool: log.ingest,
      openLanes: async () => {
        const error = errors.shift();
        if (error) throw error;
        stop.abort();
        throw new Error('ended');
      },
      config: readKafkaConfig({ KAFKA_BROKERS: 'localhost:9092' }),
      logger,
      signal: stop.signal,
    });
    const [info, error, debug] = [30, 50, 20];
    const loads = { level: info, message: 'the coordinator of the group is loading: retrying' };
    const message = 'Kafka cannot be read: retrying';
    expect(lines).toEqual([loads, loads, { level: error, message }, { level: debug, message }]);
    const findings = (await readLogStatus(log.operator)).kafka_findings.map((finding) => finding.message);
    expect(findings).toEqual(
      expect.arrayContaining(['Kafka at localhost:9092 cannot be read: The broker is away.', 'Earlier.']),
    );
    expect(findings).toHaveLength(2);
  });
});
