import { Client, type ClientBase, type ClientConfig } from 'pg';
import { boolean, statement, text } from './statement.ts';

/** A PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** Finds the server of new connections: one of several hosts, or the node that owns a lane. */
export interface HostFinder {
  /** Returns the server to which a connection is opened now. */
  usable: () => Promise<Host>;
  /** Called when this server does not answer or is no longer the wanted one. */
  forget: () => void;
}

const DEFAULT_PORT = 5_432;
/** The time in which each server must accept a login, and then answer whether it is the wanted one. */
const PROBE_MILLISECONDS = 3_000;

const READ_ONLY_SQL_TRANSACTION = '25006';

/** The server does not accept writes: it is a standby. A later attempt may find it promoted. */
class ReadOnlyServerError extends Error {
  override name = 'ReadOnlyServerError';
  readonly code = READ_ONLY_SQL_TRANSACTION;

  constructor() {
    super('the server accepts no writes, because it is a standby');
  }
}

const READ_ONLY = statement('transaction-read-only', { read_only: text })`
  SELECT current_setting('transaction_read_only') AS read_only`;

/** Throws an error when the server of a connection is not the wanted one. */
export type AssertServer = (client: ClientBase) => Promise<void>;

/** Throws ReadOnlyServerError when the server of a connection accepts no writes. */
export async function assertWritable(client: ClientBase): Promise<void> {
  const result = await client.query<{ read_only: string }>(READ_ONLY.text);
  if (result.rows[0]?.read_only === 'on') throw new ReadOnlyServerError();
}

const IN_RECOVERY = statement('in-recovery', { in_recovery: boolean })`SELECT pg_is_in_recovery() AS in_recovery`;

/** Throws an error when the server of a connection is not a standby, for example after its promotion. */
export async function assertStandby(client: ClientBase): Promise<void> {
  const result = await client.query<{ in_recovery: boolean }>(IN_RECOVERY.text);
  if (!result.rows[0]?.in_recovery) throw new Error('the server is not a standby');
}

/** Parses `host:port,[::1]:port,host`. */
export function parseHosts(list: string): Host[] {
  return list.split(',').map((each) => {
    const [, bracketed, name, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(each) ?? [];
    return { host: bracketed ?? name ?? '', port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/**
 * Finds the wanted server among several: the one that accepts writes, or a standby. It queries all of them at the same
 * time, so that a hanging server delays nothing, and remembers the answer until `forget` is called.
 */
export class Hosts implements HostFinder {
  readonly #hosts: readonly Host[];
  readonly #configAt: (host: Host) => ClientConfig;
  readonly #assertServer: AssertServer;
  #found: Promise<Host> | null = null;

  constructor(hosts: readonly Host[], configAt: (host: Host) => ClientConfig, assertServer: AssertServer) {
    this.#hosts = hosts;
    this.#configAt = configAt;
    this.#assertServer = assertServer;
  }

  async #probe(host: Host): Promise<Host> {
    // A server may hang after the login, too. Until it answered, no connection could be opened to any other server.
    const timeouts = { connectionTimeoutMillis: PROBE_MILLISECONDS, query_timeout: PROBE_MILLISECONDS };
    const client = new Client({ ...this.#configAt(host), ...timeouts });
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#assertServer(client);
      return host;
    } finally {
      client.end().catch(() => {});
    }
  }

  async #find(): Promise<Host> {
    try {
      return await Promise.any(this.#hosts.map((host) => this.#probe(host)));
    } catch (error) {
      this.#found = null;
      throw error instanceof AggregateError ? error.errors.at(-1) : error;
    }
  }

  async usable(): Promise<Host> {
    this.#found ??= this.#find();
    return await this.#found;
  }

  /** Called when the server that was found does not answer or is no longer the wanted one. */
  forget(): void {
    this.#found = null;
  }
}
