import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Login, Role } from '@milepost/postgres';
import { derivedPasswords } from '@milepost/postgres/logins';
import { expect, inject, onTestFinished } from 'vitest';
import { openFolder, untilTestEnds } from '../fixtures.ts';
import { headersOf, send } from '../http.ts';
import { createDatabaseWithLogins } from '../logins.ts';
import { addressOf, metricsUrl, scrape } from '../metrics.ts';
import { milepost, type Settings } from '../milepost.ts';
import { openPool } from '../pipeline.ts';
import { Processes, type RunningProcess } from '../processes.ts';
import { tripProcessed } from '../records.ts';
import { kafkaJars } from '../services/kafka/jars.ts';
import { firstValue } from '../tables.ts';
import { startProxyTo } from '../tcp-proxy.ts';
import { administer } from '../template.ts';
import { Topics, toMessage } from '../topics.ts';

const DAY_MILLISECONDS = 86_400_000;
const NAMES = ['ops', 'projector', 'ingest', 'api'] as const;

export type ProcessName = (typeof NAMES)[number];

/** Kafka's programs that the runbooks mention, with their classes. */
const KAFKA_TOOLS = {
  'kafka-configs.sh': 'kafka.admin.ConfigCommand',
  'kafka-topics.sh': 'org.apache.kafka.tools.TopicCommand',
  'kafka-consumer-groups.sh': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
};

/** Creates a folder with the programs mentioned in the runbooks: `milepost`, and tools from Kafka's jars. */
async function createTools(): Promise<string> {
  const { path: folder } = untilTestEnds(await openFolder());
  const java = `java -XX:TieredStopAtLevel=1 -cp '${join(await kafkaJars(), '*')}'`;
  const ofKafka = Object.entries(KAFKA_TOOLS).map(([file, name]) => [file, `${java} ${name}`] as const);
  for (const [file, command] of [['milepost', milepost([]).join(' ')] as const, ...ofKafka])
    await writeFile(join(folder, file), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** A running Milepost shared by all runbooks' scenarios. */
export type RunbookWorld = Awaited<ReturnType<typeof openRunbooks>>;

/** Opens a database, topics and all processes, which are closed when the test ends. */
export async function openRunbooks(brokers: string[]) {
  const tools = await createTools();
  const serverUrl = inject('postgresUrl') ?? '';
  const { url, urlOf } = untilTestEnds(await createDatabaseWithLogins());
  const topics = untilTestEnds(await Topics.create(brokers));
  const hosts = [untilTestEnds(await startProxyTo(serverUrl)), untilTestEnds(await startProxyTo(serverUrl))];
  let owner = openPool(url);
  onTestFinished(async () => await owner.end());
  const settings = {
    ...topics.settings(brokers),
    PORT: '0',
    OPS_PORT: '0',
    OPS_TOKEN: randomUUID(),
    METRICS_PORT: '0',
    SHUTDOWN_DELAY_SECONDS: '0',
    RATE_LIMIT_PER_MINUTE: '1000000000',
  };
  const processes = untilTestEnds(new Processes(settings, settingsOf));
  const running = new Map<ProcessName, RunningProcess>();

  function throughHosts(direct: string): string {
    const { username, password, pathname } = new URL(direct);
    const addresses = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${username}:${password}@${addresses}${pathname}?target_session_attrs=read-write`;
  }

  /**
   * Returns a command's settings in addition to the common ones, as docs/connections.md prescribes. `migrate` gets the
   * owner's login and the passwords, each process gets its own login, and every other command gets the login of `ops`.
   */
  function settingsOf([first = '']: readonly string[]): Settings {
    const passwords = Object.entries(derivedPasswords(url)).map(([login, value]) => [
      `${login.toUpperCase()}_PASSWORD`,
      value ?? '',
    ]);
    if (first === 'migrate') return { ...Object.fromEntries(passwords), DATABASE_URL: throughHosts(url) };
    const login = NAMES.find((name) => name === first) ?? 'ops';
    return { DATABASE_URL: throughHosts(urlOf(login)) };
  }

  function processNamed(name: ProcessName): RunningProcess {
    const found = running.get(name);
    if (!found) throw new Error(`${name} was not started.`);
    return found;
  }

  /** Returns the `host:port` at which a process serves its metrics. `ops` also serves its API there. */
  async function address(name: ProcessName): Promise<string> {
    const process = processNamed(name);
    return new URL(await (name === 'ops' ? addressOf(process) : metricsUrl(process))).host;
  }

  async function metrics(name: ProcessName) {
    return await scrape(`http://${await address(name)}/metrics`);
  }

  /** Starts processes and waits until they serve their metrics. */
  async function start(...names: readonly ProcessName[]): Promise<void> {
    for (const name of names) running.set(name, processes.start(name));
    await Promise.all(names.map((name) => metrics(name)));
  }

  await processes.run('migrate');
  await start(...NAMES);
  const ownKey = (await processes.run('keys', 'create', '--fleet', 'acme')).trim();

  /** Sends a request to the API and returns the response's status. */
  async function ask(path = '/api/v1/drivers', key = ownKey): Promise<number> {
    const headers = { ...headersOf(key), connection: 'close' };
    return (await send(await addressOf(processNamed('api')), { path, headers })).statusCode;
  }

  /** Publishes a driver's trips from two days ago, each with its own tracking id. Returns these ids. */
  async function publishTrips(driverId: string, count: number, revision = 1, ids?: readonly string[]) {
    const names = ids ?? Array.from({ length: count }, () => randomUUID());
    const trip_start_time = Date.now() - 2 * DAY_MILLISECONDS;
    const messages = names.map((id) => {
      const trip = { source_trip_id: id, tracking_id: id, driver_id: driverId, trip_start_time, revision };
      return toMessage(tripProcessed(trip), id);
    });
    await topics.publish(messages);
    return [...names];
  }

  /** Resolves when the read table contains this many of the driver's trips. */
  async function untilTrips(driverId: string, count: number): Promise<void> {
    const sql = 'SELECT count(*)::int FROM trips WHERE driver_id = $1';
    await expect.poll(() => firstValue(owner, sql, [driverId])).toBe(count);
  }

  const database = new URL(url).pathname.slice(1);
  /** Runs statements on the server while the superuser's pool is closed. */
  async function administerAlone(statements: string[]): Promise<void> {
    await owner.end();
    await administer(serverUrl, statements);
    owner = openPool(url);
  }

  return {
    topics,
    brokers: brokers.join(','),
    processes,
    /** The environment that all commands share. It contains no database URL. The runbooks' programs are on its PATH. */
    environment: { ...settings, PATH: `${tools}:${process.env['PATH'] ?? ''}` },
    /** Two hosts that forward to the database server. Both are in `DATABASE_URL`. */
    hosts,
    running,
    /** The superuser's pool. It causes faults and connects directly rather than through the hosts above. */
    get owner() {
      return owner;
    },
    settingsOf,
    start,
    /** Stops the named processes, or all processes if no name is given. */
    stop: async (...names: readonly ProcessName[]) => {
      const stopped = names.length > 0 ? names : NAMES;
      await Promise.all(stopped.map((name) => processNamed(name).stop()));
    },
    process: processNamed,
    address,
    metrics,
    ask,
    /** Keeps sending `count` requests at a time until the returned function is called. */
    load: (count: number, key?: () => string) => {
      let isOver = false;
      const loops = Array.from({ length: count }, async () => {
        while (!isOver) await ask('/api/v1/drivers', key?.());
      });
      const all = Promise.all(loops);
      // The returned function awaits this promise. An earlier rejection must not count as unhandled.
      all.catch(() => {});
      return async () => {
        isOver = true;
        await all;
      };
    },
    publishTrips,
    untilTrips,
    /** Publishes a new driver's trips, and waits until the read table contains them. Returns the driver. */
    newDriver: async (trips: number) => {
      const driver = randomUUID();
      await publishTrips(driver, trips);
      await untilTrips(driver, trips);
      return driver;
    },
    /** Copies the database on its server. No process may be connected. */
    copyDatabase: async (name: string) => {
      await administerAlone([`CREATE DATABASE ${database}_${name} TEMPLATE ${database}`]);
      onTestFinished(async () => {
        await administer(serverUrl, [`DROP DATABASE IF EXISTS ${database}_${name} WITH (FORCE)`]);
      });
    },
    /** Replaces the database with its copy. */
    replaceDatabase: async (name: string) => {
      await administerAlone([
        `DROP DATABASE ${database} WITH (FORCE)`,
        `ALTER DATABASE ${database}_${name} RENAME TO ${database}`,
      ]);
    },
    /** Returns the value in the first row's only column. */
    value: async (sql: string) => String(await firstValue(owner, sql)),
    /** Takes a lock as a login, and holds it until another session cancels the transaction's last statement. */
    block: async (login: Login, role: Role, lock: string) => {
      const holder = await untilTestEnds(openPool(urlOf(login), role, 1)).connect();
      await holder.query('BEGIN');
      await holder.query(lock);
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const cancelled = holder.query('SELECT pg_sleep(50)').then(
        () => {
          holder.release(true);
          throw new Error(`Nothing cancelled the session that holds ${lock}.`);
        },
        () => holder.release(true),
      );
      // The scenario awaits this promise later. An earlier rejection must not count as unhandled.
      cancelled.catch(() => {});
      return {
        pid: rows[0]?.pid ?? 0,
        /** Resolves when another session has cancelled this session's statement and the locks are released. */
        cancelled,
      };
    },
  };
}
