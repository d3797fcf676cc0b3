import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { recorded } from '@milepost/operations/audit-trail';
import { asCommand } from '@milepost/operations/mention';
import type { OperationContext } from '@milepost/operations/operation';
import type { AskEndOffsets } from '@milepost/operations/status';
import { createPool, type Pool, ROLES, type Role } from '@milepost/postgres';
import { databaseSettings, hasKafka, redisUrl } from '../config.ts';
import { databaseError, isNotMigrated } from '../database.ts';
import { sentenceOf } from '../failure.ts';
import { operatingSystemUser } from '../operator.ts';
import type { Client } from './client.ts';

/** Connections of each role, opened at the first use. */
function openPools(url: string) {
  const pools = new Map<Role, Pool>();
  const settings = { url, applicationName: 'milepost-cli', connections: 4, statementTimeoutMilliseconds: 60_000 };
  return {
    as(role: Role): Pool {
      const pool = pools.get(role) ?? createPool({ ...settings, role });
      pools.set(role, pool);
      return pool;
    },
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

const askKafka: AskEndOffsets = async (topics) => {
  const [{ askKafka: ask }, { readKafkaConfig }] = await Promise.all([
    import('@milepost/ops/kafka'),
    import('@milepost/ingest/config'),
  ]);
  const config = readKafkaConfig();
  const onFault = (error: unknown) => {
    process.stderr.write(
      `Kafka at ${config.brokers.join(', ')} does not answer, so lags are unknown: ${sentenceOf(error)}\n`,
    );
  };
  return await ask(config, onFault)(topics);
};

/** A client that does the work itself, on the database that the settings name or the embedded one that runs. */
export async function openInProcess(): Promise<Client> {
  const url = await locateDatabase(databaseSettings());
  const pools = openPools(url);
  const jobs: Promise<boolean>[] = [];
  const enqueue: OperationContext['enqueue'] = async (job) => {
    const { openEnqueuer } = await import('@milepost/ops/queue');
    const queue = openEnqueuer({ databaseUrl: url, redisUrl: redisUrl() });
    const added = queue.enqueue(job).finally(() => queue.close());
    jobs.push(added);
    return await added;
  };
  const operator = pools.as(ROLES.operator);
  await operator.query('SELECT 1').catch(async (error: unknown) => {
    await pools.end();
    throw databaseError(error, url);
  });
  return {
    async call(operation, input) {
      const attempt = {
        actor: operatingSystemUser(),
        via: 'cli' as const,
        action: operation.name,
        parameters: operation.change === 'personal' ? {} : input,
      };
      const context: OperationContext = {
        pool: pools.as,
        operator: attempt.actor,
        enqueue,
        askEndOffsets: hasKafka() ? askKafka : null,
        keep: (parameters) => Object.assign(attempt, { parameters }),
        mention: asCommand,
      };
      const run = async () => await operation.run(context, input);
      const work = operation.change ? recorded(operator, attempt, run, ({ detail }) => detail ?? null) : run();
      const { answer, status = operation.statuses?.[0]?.[0] ?? 200 } = await work.catch((error: unknown) => {
        throw isNotMigrated(error) ? databaseError(error, url) : error;
      });
      return { status, answer: JSON.parse(JSON.stringify(answer)) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs);
      await pools.end();
    },
  };
}
