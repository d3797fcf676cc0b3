import type { Job } from '@milepost/operations/operation';
import { Refusal } from '@milepost/operations/refusal';
import { nextAfter, refusalSentence } from '@milepost/operations/refusals';
import { findLane, runOperation } from '@milepost/operations/run';
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
  const { askKafka: ask } = await import('@milepost/ops/kafka');
  const { readKafkaConfig } = await import('@milepost/kafka/config');
  const config = readKafkaConfig();
  const onRetry = (error: unknown) => {
    say(`Kafka at ${config.brokers.join(', ')} is not responding, so lags are unknown: ${sentenceOf(error)}`);
  };
  return await ask(config, onRetry)(topics);
};

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
    get askEndOffsets() {
      return hasKafka() ? askKafka : null;
    },
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
  const caller = { operator: operatingSystemUser(), lane };
  /** Throws an operation's error, with a message for the operator. */
  const fail = async (error: unknown): Promise<never> => {
    if (!(error instanceof Refusal)) throw isNotMigrated(error) ? databaseError(error, opened.url) : error;
    throw new Error(await withNext(refusalSentence(error.reason), nextAfter(error.reason), lane));
  };
  return {
    async call(operation, input) {
      const parameters = operation.change === 'personal' ? {} : input;
      const attempt = { action: operation.name, parameters, lane: FIRST_LANE };
      const run = async () => await runOperation(operation, input, opened, { ...caller, attempt });
      const work = operation.change ? recorded(opened.directory, attempt, run, ({ detail }) => detail) : run();
      const { answer, status } = await work.catch(fail);
      return { status, answer: JSON.parse(JSON.stringify(answer)) };
    },
    inLane: (other) => clientOf(opened, other),
    async *readRecord(id) {
      const { openRecord } = await import('@milepost/operations/dead-letters');
      const { answer } = await runOperation(openRecord, { id }, opened, caller).catch(fail);
      yield* answer.chunks;
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
