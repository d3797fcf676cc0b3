import { type Progress, readProgress } from '@milepost/operations/log-status';
import { ROLES } from '@milepost/postgres';
import { withPool } from '../../apps/cli/database.ts';
import { sentenceOf } from '../../apps/cli/failure.ts';
import { kafkaClient } from '../../apps/cli/kafka.ts';
import { type Progresses, standingStillSince } from './progress.ts';

async function projectorProgress({ head_position, projections }: Progress): Promise<Progresses> {
  return Object.fromEntries(projections.map(({ name, checkpoint }) => [name, { at: checkpoint, end: head_position }]));
}

/** Throws when Kafka does not answer or a topic is missing: nothing can be read then. */
async function ingestProgress({ sources }: Progress): Promise<Progresses> {
  const { kafka, config } = kafkaClient();
  const admin = kafka.admin({ retry: { retries: 1 } });
  await admin.connect();
  try {
    const progresses: Progresses = {};
    for (const topic of [config.tripsTopic, config.driversTopic]) {
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        const source = sources.find((candidate) => candidate.topic === topic && candidate.partition === partition);
        // Nothing read yet: reading begins at the oldest record that the broker holds.
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

/** What is wrong with the process, in a sentence; null when it moves or has nothing to do. */
async function check([name]: string[]): Promise<string | null> {
  if (!isCheck(name)) return 'usage: main.ts ingest|projector';
  const status = await withPool(ROLES[name], readProgress);
  const stopped = name === 'ingest' ? status.sources.find(({ fault }) => fault !== null) : undefined;
  if (stopped) return stopped.fault;
  const progresses = await CHECKS[name](status);
  const standing = await standingStillSince(`/tmp/health-${name}.json`, progresses);
  return standing.length === 0 ? null : `Behind, and not moved since the last check: ${standing.join(', ')}.`;
}

/**
 * A container's health check: exit code 1 when the process stands still since the previous check, or when what it needs
 * does not answer. The process's own word is not asked: what counts is what it has left in the database.
 */
const fault = await check(process.argv.slice(2)).catch(sentenceOf);
if (fault !== null) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
