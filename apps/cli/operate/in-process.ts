import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { recorded } from '@milepost/operations/audit-trail';
import type { AskEndOffsets } from '@milepost/operations/end-offsets';
import { asCommand } from '@milepost/operations/mention';
import type { OperationContext } from '@milepost/operations/operation';
import { type Pool, ROLES, type Role, unprepared } from '@milepost/postgres';
import { databaseSettings, hasKafka, redisUrl } from '../config.ts';
import { databaseError, isNotMigrated, openPool } from '../database.ts';
import { sentenceOf } from '../failure.ts';
import { operatingSystemUser } from '../operator.ts';
import type { Client } from './client.ts';

const askKafka: AskEndOffsets = async (topics) => {
  const [{ askKafka: ask }, { readKafkaConfig }] = await Promise.all([
    import('@milepost/ops/kafka'),
    import('@milepost/ingest/config'),
  ]);
  const config = readKafkaConfig();
  const onRetry = (error: unknown) => {
    process.stderr.write(
      `Kafka at ${config.brokers.join(', ')} does not answer, so lags are unknown: ${sentenceOf(error)}\n`,
    );
  };
  return await ask(config, onRetry)(topics);
};

/** A client that does the work itself, on the database that the settings name or the embedded one that runs. */
export async function openInProcess(): Promise<Client> {
  const url = await locateDatabase(databaseSettings());
  const pools = new Map<Role, Pool>();
  const poolAs = (role: Role) => {
    const pool = pools.get(role) ?? openPool(url, role);
    pools.set(role, pool);
    return pool;
  };
  const end = async () => {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
  };
  const jobs: Promise<unknown>[] = [];
  const enqueue: OperationContext['enqueue'] = async (job) => {
    const { openEnqueuer } = await import('@milepost/ops/queue');
    const queue = openEnqueuer({ databaseUrl: url, redisUrl: redisUrl() });
    const added = queue.enqueue(job).finally(() => queue.close());
    jobs.push(added);
    return await added;
  };
  const operator = poolAs(ROLES.operator);
  await unprepared(operator, {}, 'SELECT').catch(async (error: unknown) => {
    await end();
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
        pool: poolAs,
        operator: attempt.actor,
        enqueue,
        // Its settings are read by the operation that asks, and by no other.
        get askEndOffsets() {
          return hasKafka() ? askKafka : null;
        },
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
      await end();
    },
  };
}
