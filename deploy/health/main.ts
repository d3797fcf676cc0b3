import { inSnapshot, ROLES } from '@milepost/postgres';
import { type Progress, readProgress } from '@milepost/status/log-status';
import { withPool } from '../../apps/cli/database.ts';
import { sentenceOf } from '../../apps/cli/failure.ts';
import { kafkaClient } from '../../apps/cli/kafka.ts';
import { type Progresses, stalledSince } from './progress.ts';

async function projectorProgress({ head_position, projections }: Progress): Promise<Progresses> {
  return Object.fromEntries(projections.map(({ name, checkpoint }) => [name, { at: checkpoint, end: head_position }]));
}

/** Throws if Kafka does not respond or a topic is missing, because ingest cannot read in either case. */
async function ingestProgress({ sources }: Progress): Promise<Progresses> {
  const { kafka, config } = kafkaClient();
  const admin = kafka.admin({ retry: { retries: 1 } });
  await admin.connect();
  try {
    const progresses: Progresses = {};
    for (const topic of [config.tripsTopic, config.driversTopic]) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        const source = sources.find((candidate) => candidate.topic === topic && candidate.partition === partition);
        // Without a stored offset, ingest starts at the broker's oldest record.
        progresses[`${topic}/${partition}`] = { at: source?.next_offset ?? Number(low), end: Number(high) };
      }
    }
    return progresses;
  } finally {
    await admin.disconnect();
  }
}

const CHECKS = { ingest: ingestProgress, projector: projectorProgress };

function isCheck(name: string | undefined): name is keyof typeof CHECKS {
  return name !== undefined && Object.hasOwn(CHECKS, name);
}

/** Returns one sentence about what is wrong with the process, or null if it is making progress or is idle. */
async function check([name]: string[]): Promise<string | null> {
  if (!isCheck(name)) return 'usage: main.ts ingest|projector';
  const status = await withPool(ROLES[name], async (pool) => await inSnapshot(pool, readProgress));
  const stopped = name === 'ingest' ? status.sources.find(({ fault }) => fault !== null) : undefined;
  if (stopped) return stopped.fault;
  const progresses = await CHECKS[name](status);
  const stalled = await stalledSince(`/tmp/health-${name}.json`, progresses);
  return stalled.length === 0 ? null : `Behind the log, and stalled since the last check: ${stalled.join(', ')}.`;
}

/**
 * The health check of a container. It exits with code 1 if the process has made no progress since the previous check,
 * or if the database or Kafka does not respond. The check reads the progress from the database, not from the process.
 */
const fault = await check(process.argv.slice(2)).catch(sentenceOf);
if (fault !== null) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
