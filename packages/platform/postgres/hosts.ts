import { Client, type ClientBase, type ClientConfig } from 'pg';
import { boolean, statement, text } from './statement.ts';

/** A PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** Finds the server for new connections, which is one of several hosts, or the node that owns a lane. */
export interface HostFinder {
  /** Returns the server to which the next connection should be opened. */
  usable: () => Promise<Host>;
  /** Called when this server does not respond, or is no longer the right one. */
  forget: () => void;
}

const DEFAULT_PORT = 5_432;
/** The time within which each server must accept a login, and then say whether it is the right one. */
const PROBE_MILLISECONDS = 3_000;

const READ_ONLY_SQL_TRANSACTION = '25006';

/** The server is a standby and accepts no writes. A later attempt may find that it was promoted. */
class ReadOnlyServerError extends Error {
  override name = 'ReadOnlyServerError';
  readonly code = READ_ONLY_SQL_TRANSACTION;

  constructor() {
    super('the server accepts no writes, because it is a standby');
  }
}

const READ_ONLY = statement('transaction-read-only', { read_only: text })`
  SELECT current_setting('transaction_read_only') AS read_only`;

/** Throws an error when a connection is to the wrong server. */
export type AssertServer = (client: ClientBase) => Promise<void>;

/** Throws ReadOnlyServerError when the server behind a connection accepts no writes. */
export async function assertWritable(client: ClientBase): Promise<void> {
  const result = await client.query<{ read_only: string }>(READ_ONLY.text);
  if (result.rows[0]?.read_only === 'on') throw new ReadOnlyServerError();
}

const IN_RECOVERY = statement('in-recovery', { in_recovery: boolean })`SELECT pg_is_in_recovery() AS in_recovery`;

/** Throws an error when the server behind a connection is not a standby, for example after its promotion. */
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
 * Finds the right server among several, which is the one that accepts writes, or a standby. It queries all of them at
 * the same time, so that a hanging server delays nothing, and remembers the result until `forget` is called.
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
    // A server may also hang after the login, and until it responded, no connection could be opened to any other
    // server.
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

  /** Called when the server that was found does not respond, or is no longer the right one. */
  forget(): void {
    this.#found = null;
  }
}
