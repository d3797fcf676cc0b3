import { inTransaction, type Pool } from '@milepost/postgres';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { addGauges, GROUPS, replayMetrics } from './groups.ts';

/** Scrapes within this time, by however many, share one reading of the database. */
const FRESH_MILLISECONDS = 1_000;
const STATEMENT_TIMEOUT_MILLISECONDS = 2_000;
/** Prometheus waits 10 s by default; a database that hangs must be reported within that. */
const LONGEST_READING_MILLISECONDS = 5_000;

interface Scrape {
  contentType: string;
  text: string;
}

async function readGroups(pool: Pool, registry: Registry): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    // One snapshot for all statements: otherwise a checkpoint could be ahead of the head read before it.
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await transaction.run(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MILLISECONDS}`);
    for (const group of GROUPS) await group(registry, transaction);
  });
  await replayMetrics(registry, pool);
}

async function withinTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const sentence = `The database did not answer within ${LONGEST_READING_MILLISECONDS / 1000} s.`;
  const timer = setTimeout(() => late.reject(new Error(sentence)), LONGEST_READING_MILLISECONDS);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

function up(registry: Registry, value: 0 | 1): void {
  addGauges(registry, 'milepost_', [], [{ up: value }], {
    up: 'Whether the database answered. While it does not, all other milepost_ metrics are missing.',
  });
}

async function readDatabase(pool: Pool, onRetry: (error: unknown) => void): Promise<string> {
  const registry = new Registry();
  try {
    await withinTime(readGroups(pool, registry));
    up(registry, 1);
    return await registry.metrics();
  } catch (error) {
    onRetry(error);
    const away = new Registry();
    up(away, 0);
    return await away.metrics();
  }
}

/**
 * Makes the function behind `/metrics`: those of the process, and those of the database as of one moment at most a second
 * ago. Never rejects because of the database.
 */
export function createScrape(pool: Pool, onRetry: (error: unknown) => void): () => Promise<Scrape> {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  let reading: Promise<string> | undefined;
  return async () => {
    if (reading === undefined) {
      reading = readDatabase(pool, onRetry);
      const forget = () => {
        reading = undefined;
      };
      reading.then(() => setTimeout(forget, FRESH_MILLISECONDS).unref(), forget);
    }
    const [database, process] = await Promise.all([reading, ofProcess.metrics()]);
    return { contentType: ofProcess.contentType, text: `${database}\n${process}` };
  };
}
