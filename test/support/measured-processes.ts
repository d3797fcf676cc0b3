import { untilTestEnds } from './fixtures.ts';
import type { Settings } from './milepost.ts';
import { openPipeline } from './pipeline.ts';
import { Processes } from './processes.ts';
import { Topics } from './topics.ts';

/** Opens a log, topics, and processes that serve their metrics. All of them are closed when the test ends. */
export async function openMeasured(brokers: string[], settings: Settings = {}) {
  const log = untilTestEnds(await openPipeline());
  const topics = untilTestEnds(await Topics.create(brokers));
  const own = { DATABASE_URL: log.url, METRICS_PORT: '0', PORT: '0', OPS_PORT: '0', SHUTDOWN_DELAY_SECONDS: '0' };
  const processes = untilTestEnds(new Processes({ ...own, ...topics.settings(brokers), ...settings }));
  return { log, topics, processes };
}
