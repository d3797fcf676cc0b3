import { onTestFinished } from 'vitest';
import { openPipeline } from './pipeline.ts';
import { Processes } from './processes.ts';
import { Topics } from './topics.ts';

/** Opens a log, topics, and processes that serve their metrics. All of them are closed when the test ends. */
export async function openMeasured(brokers: string[]) {
  const log = await openPipeline();
  onTestFinished(log.close);
  const topics = await Topics.create(brokers);
  onTestFinished(async () => await topics.close());
  const processes = new Processes({
    DATABASE_URL: log.url,
    METRICS_PORT: '0',
    PORT: '0',
    OPS_PORT: '0',
    SHUTDOWN_DELAY_SECONDS: '0',
    ...topics.settings(brokers),
  });
  onTestFinished(async () => await processes.end());
  return { log, topics, processes };
}
