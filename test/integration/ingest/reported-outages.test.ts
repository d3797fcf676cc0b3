import { addKafkaFinding } from '@milepost/event-log';
import { readKafkaConfig } from '@milepost/kafka/config';
import { type backoffMilliseconds, inSnapshot } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import { readHealth } from '@milepost/status/log-status';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { runKafkaIngest } from '../../../apps/ingest/kafka/run.ts';
import { perTest } from '../../support/fixtures.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const [info, error, debug] = [30, 50, 20];
const LOADING = "the group's coordinator is loading: retrying";
const OUTAGE = 'Cannot read from Kafka: retrying';

const loading = () => Object.assign(new Error('The group is loading'), { type: 'GROUP_LOAD_IN_PROGRESS' });

describeWithPostgres('an outage of Kafka', () => {
  const log = perTest(() => openPipeline([]));
  const findings = async () => (await inSnapshot(log.operator, readHealth)).kafka_findings;

  /** Runs ingest and makes its attempts to read from Kafka fail with `errors`. Returns the lines that it logs. */
  async function fail(errors: readonly Error[], backoff?: typeof backoffMilliseconds) {
    const lines: { level: number; message: string }[] = [];
    const write = (line: string) => {
      const { level, message } = JSON.parse(line);
      lines.push({ level, message });
    };
    const logger: Logger = pino({ level: 'debug', messageKey: 'message', errorKey: 'error', base: {} }, { write });
    const stop = new AbortController();
    const next = errors.values();
    const openLanes = async () => {
      for (const error of next) throw error;
      stop.abort();
      throw new Error('ended');
    };
    const config = readKafkaConfig({ KAFKA_BROKERS: 'localhost:9092' });
    await runKafkaIngest({ pool: log.ingest, openLanes, config, logger, signal: stop.signal }, backoff);
    return lines;
  }

  it("is logged once as an error, even if it begins while the group's coordinator is loading", async () => {
    await addKafkaFinding(log.ingest, { topic: null, code: 'group_denied', isWarning: false, message: 'Earlier.' });
    const away = new Error('The broker is away');
    expect(await fail([loading(), loading(), away, away])).toEqual([
      { level: info, message: LOADING },
      { level: info, message: LOADING },
      { level: error, message: OUTAGE },
      { level: debug, message: OUTAGE },
    ]);
    expect((await findings()).map((finding) => finding.message).sort()).toEqual([
      'Earlier.',
      'Kafka at localhost:9092 cannot be read: The broker is away.',
    ]);
  });

  it('is logged as an error when the tenth attempt finds the coordinator loading, and attempts slow down', async () => {
    const backoff = vi.fn(() => 0);
    const lines = await fail(Array.from({ length: 12 }, loading), backoff);
    expect(lines).toEqual([
      ...Array.from({ length: 9 }, () => ({ level: info, message: LOADING })),
      { level: error, message: OUTAGE },
      { level: debug, message: OUTAGE },
      { level: debug, message: OUTAGE },
    ]);
    expect(backoff.mock.calls).toEqual(Array.from({ length: 12 }, (_, failures) => [failures]));
    expect(await findings()).toMatchObject([{ topic: null, code: 'connection_failed' }]);
  });

  it('is not reported if ingest stops while it is waiting for the list of lanes', async () => {
    expect(await fail([])).toEqual([]);
    expect(await findings()).toEqual([]);
  });
});
