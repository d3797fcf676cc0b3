import { ROLES } from '@milepost/postgres';
import { withPool } from '../../apps/cli/database.ts';
import { kafkaClient } from '../../apps/cli/kafka.ts';
import { type LogStatus, readLogStatus } from '../../apps/cli/status/log-status.ts';
import { type Progresses, standingStillSince } from './progress.ts';

async function projectorProgress({ head_position, projections }: LogStatus): Promise<Progresses> {
  return Object.fromEntries(projections.map(({ name, checkpoint }) => [name, { at: checkpoint, end: head_position }]));
}

/** Throws when Kafka does not answer or a topic is missing: nothing can be read then. */
async function ingestProgress({ sources }: LogStatus): Promise<Progresses> {
  const { kafka, config } = kafkaClient('silent');
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
  return name !== undefined && name in CHECKS;
}

/**
 * A container's health check: exit code 0 while the process moves or has nothing to do, 1 when it stands still since the
 * previous check or when what it needs does not answer. The process's own word is not asked: what counts is the database.
 */
const [name] = process.argv.slice(2);
if (!isCheck(name)) throw new Error('usage: main.ts ingest|projector');
const progresses = await CHECKS[name](await withPool(ROLES.operator, readLogStatus));
const standing = await standingStillSince(`/tmp/health-${name}.json`, progresses);
if (standing.length > 0) {
  process.stderr.write(`Behind, and not moved since the last check: ${standing.join(', ')}.\n`);
  process.exitCode = 1;
}
