import { findLane, laneContext, withLane } from '@milepost/operations/lane';
import type { Job, OperationContext } from '@milepost/operations/operation';
import { Refusal, type RefusalReason } from '@milepost/operations/refusal';
import { nextAfter, refusalSentence } from '@milepost/operations/refusals';
import { assertUsable, directoryAt, ROLES } from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import type { AskEndOffsets } from '@milepost/status/end-offsets';
import { databaseSettings, hasKafka, redisUrl } from '../config.ts';
import { databaseError, isNotMigrated, openPool } from '../database.ts';
import { sentenceOf, UsageError } from '../failure.ts';
import { operatingSystemUser, recorded } from '../operator.ts';
import { say } from '../output.ts';
import type { Client } from './client.ts';
import { withNext } from './command-line.ts';

const askKafka: AskEndOffsets = async (topics) => {
  const [{ askKafka: ask }, { readKafkaConfig }] = await Promise.all([
    import('@milepost/ops/kafka'),
    import('@milepost/kafka/config'),
  ]);
  const config = readKafkaConfig();
  const onRetry = (error: unknown) => {
    say(`Kafka at ${config.brokers.join(', ')} is not responding, so lags are unknown: ${sentenceOf(error)}`);
  };
  return await ask(config, onRetry)(topics);
};

async function refusalError(reason: RefusalReason, lane: number | undefined): Promise<Error> {
  return new Error(await withNext(refusalSentence(reason), nextAfter(reason), lane));
}

async function announce(redis: string, job: Job): Promise<void> {
  const { openQueue } = await import('@milepost/ops/queue');
  const queue = openQueue(redis);
  await queue.add(job);
  await queue.close();
}

/** Opens the resources that all clients of a database share. */
function openDatabase(url: string) {
  const directory = openPool(directoryAt(url), ROLES.operator);
  const pools = new RolePools(directory, openPool);
  const jobs: Promise<unknown>[] = [];
  return {
    url,
    pools,
    directory,
    announce(job: Job) {
      const redis = redisUrl();
      if (redis !== undefined) jobs.push(announce(redis, job));
    },
    async close() {
      await Promise.all(jobs);
      await Promise.all([directory.end(), pools.end()]);
    },
  };
}

function clientOf(opened: ReturnType<typeof openDatabase>, lane: number | undefined): Client {
  const { url, pools, directory, announce } = opened;
  return {
    async call(operation, input) {
      const attempt = { action: operation.name, parameters: operation.change === 'personal' ? {} : input };
      const run = async () => {
        const own = await laneContext({ pools, directory }, lane, input);
        const keep = (parameters: object) => Object.assign(attempt, { parameters: withLane(parameters, own.lane) });
        keep(attempt.parameters);
        const context: OperationContext = {
          ...own,
          directory,
          announce,
          operator: operatingSystemUser(),
          // This is a getter, so that the Kafka settings are not read unless an operation needs Kafka.
          get askEndOffsets() {
            return hasKafka() ? askKafka : null;
          },
          keep,
        };
        return await operation.run(context, input);
      };
      const work = operation.change ? recorded(directory, attempt, run, ({ detail }) => detail ?? null) : run();
      const { answer, status = operation.statuses?.[0]?.[0] ?? 200 } = await work.catch(async (error: unknown) => {
        if (error instanceof Refusal) throw await refusalError(error.reason, lane);
        throw isNotMigrated(error) ? databaseError(error, url) : error;
      });
      return { status, answer: JSON.parse(JSON.stringify(answer)) };
    },
    inLane: (other) => clientOf(opened, other),
    async *readRecord(id) {
      const { openRecord } = await import('@milepost/dead-letters');
      const { pool } = await laneContext({ pools, directory }, lane, {});
      const record = await openRecord(pool(ROLES.operator), id);
      if (record === null) throw await refusalError({ code: 'dead_letter_not_found', id }, lane);
      yield* record.chunks;
    },
    [Symbol.asyncDispose]: opened.close,
  };
}

/** Opens a client that runs operations in this process, on the configured database or the running embedded one. */
export async function openInProcess(lane?: number): Promise<Client> {
  const url = await locateDatabase(databaseSettings());
  const opened = openDatabase(url);
  try {
    const { pool } = await findLane(opened.pools, lane ?? FIRST_LANE);
    await assertUsable(pool(ROLES.operator));
    return clientOf(opened, lane);
  } catch (error) {
    await opened.close();
    if (error instanceof Refusal) throw new UsageError(refusalSentence(error.reason));
    throw databaseError(error, url);
  }
}
