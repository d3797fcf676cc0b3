import { randomUUID } from 'node:crypto';
import { derivedPasswords, type Login, loginUrl, type Pool, type Role } from '@milepost/postgres';
import { expect, inject, onTestFinished } from 'vitest';
import { createTestDatabase } from '../database.ts';
import { untilTestEnds } from '../fixtures.ts';
import { headersOf, send } from '../http.ts';
import { dropLogins } from '../logins.ts';
import { addressOf, metricsUrl, type Scrape, scrape } from '../metrics.ts';
import { openPool } from '../pipeline.ts';
import { Processes, type RunningProcess } from '../processes.ts';
import { tripProcessed } from '../records.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { administer } from '../template.ts';
import { Topics } from '../topics.ts';
import { createTools } from './tools.ts';

const DAY_MILLISECONDS = 86_400_000;
const NAMES = ['ops', 'projector', 'ingest', 'api'] as const;

export type ProcessName = (typeof NAMES)[number];

/** A session that holds locks in a transaction. */
export interface Blocker {
  pid: number;
  /** Resolves when another session has cancelled this session's statement and the locks are released. */
  cancelled: Promise<void>;
}

/** A running Milepost shared by all runbooks' scenarios. */
export class RunbookWorld {
  readonly url: string;
  readonly topics: Topics;
  readonly brokers: string;
  readonly processes: Processes;
  /** The environment that all commands share. It contains no database URL. The runbooks' programs are on its PATH. */
  readonly environment: Record<string, string>;
  /** Two hosts that forward to the database server. Both are in `DATABASE_URL`. */
  readonly hosts: readonly TcpProxy[];
  readonly running = new Map<ProcessName, RunningProcess>();
  /** The superuser's pool. It causes faults and connects directly rather than through the hosts above. */
  owner: Pool;
  #key = '';

  private constructor(url: string, topics: Topics, brokers: string[], hosts: readonly TcpProxy[], tools: string) {
    this.url = url;
    this.topics = topics;
    this.brokers = brokers.join(',');
    this.hosts = hosts;
    this.owner = openPool(url);
    const settings = {
      ...topics.settings(brokers),
      PORT: '0',
      OPS_PORT: '0',
      OPS_TOKEN: randomUUID(),
      METRICS_PORT: '0',
      SHUTDOWN_DELAY_SECONDS: '0',
      RATE_LIMIT_PER_MINUTE: '1000000000',
    };
    this.processes = new Processes(settings, (words) => this.settingsOf(words));
    this.environment = { ...settings, PATH: `${tools}:${process.env['PATH'] ?? ''}` };
  }

  /**
   * Returns a command's settings in addition to the common ones, as docs/connections.md prescribes. `migrate` gets the
   * owner's login and the passwords, each process gets its own login, and every other command gets the login of `ops`.
   */
  settingsOf([first = '']: readonly string[]): Record<string, string> {
    const passwords = Object.fromEntries(
      Object.entries(derivedPasswords(this.url)).map(([login, value]) => [
        `${login.toUpperCase()}_PASSWORD`,
        value ?? '',
      ]),
    );
    if (first === 'migrate') return { ...passwords, DATABASE_URL: this.#throughHosts(this.url) };
    const login = NAMES.find((name) => name === first) ?? 'ops';
    return { DATABASE_URL: this.#throughHosts(loginUrl(this.url, login)) };
  }

  #throughHosts(url: string): string {
    const { username, password, pathname } = new URL(url);
    const addresses = this.hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${username}:${password}@${addresses}${pathname}?target_session_attrs=read-write`;
  }

  /** Opens a database, topics and all processes, which are closed when the test ends. */
  static async open(brokers: string[]): Promise<RunbookWorld> {
    const tools = await createTools();
    const { url, drop } = await createTestDatabase();
    onTestFinished(async () => {
      await drop();
      await dropLogins(inject('postgresUrl') ?? '', url);
    });
    const topics = untilTestEnds(await Topics.create(brokers));
    const { hostname, port } = new URL(inject('postgresUrl') ?? '');
    const target = { host: hostname, port: Number(port) };
    const hosts = [await startTcpProxy(target), await startTcpProxy(target)];
    onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.cut()))));
    const world = new RunbookWorld(url, topics, brokers, hosts, tools);
    onTestFinished(async () => await world.owner.end());
    untilTestEnds(world.processes);
    await world.processes.run('migrate');
    await world.start(...NAMES);
    world.#key = (await world.processes.run('keys', 'create', '--fleet', 'acme')).trim();
    return world;
  }

  /** Starts processes and waits until they serve their metrics. */
  async start(...names: readonly ProcessName[]): Promise<void> {
    for (const name of names) this.running.set(name, this.processes.start(name));
    await Promise.all(names.map((name) => this.metrics(name)));
  }

  /** Stops the named processes, or all processes if no name is given. */
  async stop(...names: readonly ProcessName[]): Promise<void> {
    const stopped = names.length > 0 ? names : NAMES;
    await Promise.all(stopped.map((name) => this.process(name).stop()));
  }

  process(name: ProcessName): RunningProcess {
    const running = this.running.get(name);
    if (!running) throw new Error(`${name} was not started.`);
    return running;
  }

  /** Returns the `host:port` at which a process serves its metrics. `ops` also serves its API there. */
  async address(name: ProcessName): Promise<string> {
    const running = this.process(name);
    return new URL(await (name === 'ops' ? addressOf(running) : metricsUrl(running))).host;
  }

  async metrics(name: ProcessName): Promise<Scrape> {
    return await scrape(`http://${await this.address(name)}/metrics`);
  }

  /** Sends a request to the API and returns the response's status. */
  async ask(path = '/api/v1/drivers', key = this.#key): Promise<number> {
    const headers = { ...headersOf(key), connection: 'close' };
    return (await send(await addressOf(this.process('api')), { path, headers })).statusCode;
  }

  /** Keeps sending `count` requests at a time until the returned function is called. */
  load(count: number, key?: () => string): () => Promise<void> {
    let isOver = false;
    const loops = Array.from({ length: count }, async () => {
      while (!isOver) await this.ask('/api/v1/drivers', key?.());
    });
    const all = Promise.all(loops);
    // The returned function awaits this promise. An earlier rejection must not count as unhandled.
    all.catch(() => {});
    return async () => {
      isOver = true;
      await all;
    };
  }

  /** Publishes a driver's trips from two days ago, each with its own tracking id. Returns these ids. */
  async publishTrips(driverId: string, count: number, revision = 1, ids?: readonly string[]): Promise<string[]> {
    const names = ids ?? Array.from({ length: count }, () => randomUUID());
    const trip_start_time = Date.now() - 2 * DAY_MILLISECONDS;
    const messages = names.map((id) => {
      const trip = { source_trip_id: id, tracking_id: id, driver_id: driverId, trip_start_time, revision };
      return { topic: 'trips' as const, key: id, value: JSON.stringify(tripProcessed(trip)), broken: false };
    });
    await this.topics.publish(messages);
    return [...names];
  }

  /** Resolves when the read table contains this many of the driver's trips. */
  async untilTrips(driverId: string, count: number): Promise<void> {
    const shown = async () => {
      const { rows } = await this.owner.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM trips WHERE driver_id = $1',
        [driverId],
      );
      return rows[0]?.count;
    };
    await expect.poll(shown).toBe(count);
  }

  /** Publishes a new driver's trips, and waits until the read table contains them. Returns the driver. */
  async newDriver(trips: number): Promise<string> {
    const driver = randomUUID();
    await this.publishTrips(driver, trips);
    await this.untilTrips(driver, trips);
    return driver;
  }

  /** Copies the database on its server. No process may be connected. */
  async copyDatabase(name: string): Promise<void> {
    await this.owner.end();
    await this.#administer([`CREATE DATABASE ${this.#database}_${name} TEMPLATE ${this.#database}`]);
    this.owner = openPool(this.url);
    onTestFinished(
      async () => await this.#administer([`DROP DATABASE IF EXISTS ${this.#database}_${name} WITH (FORCE)`]),
    );
  }

  /** Replaces the database with its copy. */
  async replaceDatabase(name: string): Promise<void> {
    await this.owner.end();
    await this.#administer([
      `DROP DATABASE ${this.#database} WITH (FORCE)`,
      `ALTER DATABASE ${this.#database}_${name} RENAME TO ${this.#database}`,
    ]);
    this.owner = openPool(this.url);
  }

  get #database(): string {
    return new URL(this.url).pathname.slice(1);
  }

  async #administer(statements: string[]): Promise<void> {
    await administer(inject('postgresUrl') ?? '', statements);
  }

  /** Returns the value in the first row's first column. */
  async value(sql: string): Promise<string> {
    const { rows } = await this.owner.query<Record<string, unknown>>(sql);
    return String(Object.values(rows[0] ?? {})[0]);
  }

  /** Takes a lock with a login, and holds it until another session cancels the transaction's last statement. */
  async block(login: Login, role: Role, lock: string): Promise<Blocker> {
    const holder = await untilTestEnds(openPool(loginUrl(this.url, login), role, 1)).connect();
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
    return { pid: rows[0]?.pid ?? 0, cancelled };
  }
}
