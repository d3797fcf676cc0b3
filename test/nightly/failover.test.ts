import { claimSource } from '@milepost/event-log';
import { ROLES, retryTransientErrors } from '@milepost/postgres';
import { databaseUrl, readSettings } from '@milepost/service';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { statusOfDrivers } from '../support/http.ts';
import { expectSuccess } from '../support/milepost.ts';
import { deliver, openPool } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { freePorts } from '../support/services/free-port.ts';
import { killServer, startReplication } from '../support/standby.ts';

const TOPIC = 'milepost.trips';
const RECORDS = 3_000;
const BATCH = 20;
const PROMOTED_AT = 1_000;

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

/** Reads a URL for one of the test's pools, just as the processes do. */
function parsed(url: string): string {
  return readSettings({ DATABASE_URL: url }, (settings) => databaseUrl(settings, 'direct')) ?? '';
}

it('clients with two hosts connect to the primary, and follow a promotion under load without a loss', async () => {
  const { primary, standby } = untilTestEnds(await startReplication());
  // The standby comes first, so a client that simply uses the first host cannot write.
  const both = new URL(primary.url);
  const address = `postgres://${both.username}:${both.password}@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/milepost`;
  const [port = 0] = await freePorts(1);
  const settings = {
    DATABASE_URL: `${address}?target_session_attrs=read-write`,
    PORT: String(port),
    // A client that never pauses sends more requests than the default limit allows.
    RATE_LIMIT_PER_MINUTE: '1000000000',
    SHUTDOWN_DELAY_SECONDS: '0',
  };
  const processes = untilTestEnds(new Processes(settings));
  await processes.run('migrate');
  const key = (await processes.run('keys', 'create', '--fleet', 'acme')).trim();
  for (const name of ['api', 'projector']) processes.start(name);
  const get = async () => await statusOfDrivers(`http://127.0.0.1:${port}`, key);
  await expect.poll(get).toBe(200);

  const statuses: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) statuses.push(await get());
  })();
  const ingest = untilTestEnds(openPool(parsed(address), ROLES.ingest, 2));
  const record = (n: number) => (n === 0 ? driverProfile() : tripProcessed({ source_trip_id: `trip-${n}` }));
  const signal = AbortSignal.timeout(120_000);
  let promotion: Promise<unknown> | undefined;
  let retries = 0;
  for (;;) {
    const { nextOffset } = await retryTransientErrors(() => claimSource(ingest, TOPIC, 0), { signal });
    if (nextOffset >= RECORDS) break;
    if (nextOffset >= PROMOTED_AT && !promotion) {
      promotion = (async () => {
        killServer(primary.directory);
        await ask(standby.url, 'SELECT pg_promote()');
      })();
    }
    const batch = Array.from({ length: BATCH }, (_, index) => record(nextOffset + index));
    // The log itself contains the next offset, so a batch is not repeated if only its COMMIT was cut off.
    await deliver(ingest, batch, TOPIC).catch(() => (retries += 1));
  }
  await promotion;
  const [log] = await ask(
    standby.url,
    `SELECT (SELECT count(*)::int FROM milepost.stored_event) AS stored, (SELECT position::int FROM milepost.log_head) AS head`,
  );
  expect(log).toEqual({ stored: RECORDS, head: RECORDS });
  expect(retries).toBeGreaterThan(0);
  await expect.poll(get).toBe(200);
  isOver = true;
  await asking;
  const caughtUp = async () =>
    (await ask(standby.url, 'SELECT min(checkpoint)::int AS checkpoint FROM milepost.generation WHERE live'))[0];
  await expect.poll(caughtUp).toEqual({ checkpoint: RECORDS });
  expect(await processes.run('audit')).toContain('no faults found');
  const failed = statuses.filter((status) => status !== 200);
  expect(failed.filter((status) => status !== 503)).toEqual([]);
  process.stderr.write(
    `failover: ${RECORDS} stored, ${retries} retries, ${statuses.length} responses, ${failed.length} of them 503\n`,
  );
  // The server that a client asks first may be gone forever.
  const reversed = address.replace(
    `${standby.port},127.0.0.1:${primary.port}`,
    `${primary.port},127.0.0.1:${standby.port}`,
  );
  expectSuccess(await run(['status'], { DATABASE_URL: reversed }));
});
