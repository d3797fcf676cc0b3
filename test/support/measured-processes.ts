import { untilTestEnds } from './fixtures.ts';
import { openPipeline } from './pipeline.ts';
import { Processes } from './processes.ts';
import { Topics } from './topics.ts';

/** Opens a log, topics, and processes that serve their metrics. All of them are closed when the test ends. */
export async function openMeasured(brokers: string[]) {
  const log = untilTestEnds(await openPipeline());
  const topics = untilTestEnds(await Topics.create(brokers));
  const ports = { METRICS_PORT: '0', PORT: '0', OPS_PORT: '0' };
  const settings = { DATABASE_URL: log.url, ...ports, SHUTDOWN_DELAY_SECONDS: '0', ...topics.settings(brokers) };
  return { log, topics, processes: untilTestEnds(new Processes(settings)) };
}
