import { RefusedError, recorded } from '@milepost/operations/audit-trail';
import { asCommand } from '@milepost/operations/mention';
import type { Done, OperationContext } from '@milepost/operations/operation';
import { Refusal, WrongInput } from '@milepost/operations/refusal';
import { createPool, type Pool, ROLES, type Role } from '@milepost/postgres';
import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { databaseSettings, redisUrl } from '../config.ts';
import { databaseError } from '../database.ts';
import { UsageError } from '../failure.ts';
import { operatingSystemUser } from '../operator.ts';
import type { Client } from './client.ts';
import { flagOf } from './flags.ts';

/** Words for a refusal on the command line; any other error is returned as it is. */
function inWords(error: unknown): unknown {
  if (error instanceof Refusal) return new RefusedError(error.sentence(asCommand));
  if (error instanceof WrongInput) return new UsageError(`${flagOf(error.parameter)}: ${error.message}`);
  return error;
}

/** Connections of each role, opened at the first use. */
function openPools(url: string) {
  const pools = new Map<Role, Pool>();
  return {
    as(role: Role): Pool {
      const pool =
        pools.get(role) ??
        createPool({
          url,
          role,
          applicationName: 'milepost-cli',
          connections: 4,
          statementTimeoutMilliseconds: 60_000,
        });
      pools.set(role, pool);
      return pool;
    },
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

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
  await pools
    .as(ROLES.operator)
    .query('SELECT 1')
    .catch(async (error: unknown) => {
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
        askEndOffsets: null,
        keep: (parameters) => Object.assign(attempt, { parameters }),
      };
      const run = async (): Promise<Done<unknown>> => {
        return await operation.run(context, input).catch((error: unknown) => {
          throw inWords(error);
        });
      };
      const { answer, status = operation.statuses?.[0]?.[0] ?? 200 } = operation.change
        ? await recorded(pools.as(ROLES.operator), attempt, run, ({ detail }) => detail ?? null)
        : await run();
      return { status, answer: JSON.parse(JSON.stringify(answer)) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs);
      await pools.end();
    },
  };
}
