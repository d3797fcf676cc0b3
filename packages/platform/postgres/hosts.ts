import { Client, type ClientBase, type ClientConfig } from 'pg';
import { boolean, type RowOf, statement } from './statement.ts';

/** A PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** Finds the server for new connections: one of several hosts, or the node that owns a lane. */
export interface HostFinder {
  /** Returns the server to which the next connection should be opened. */
  usable: () => Promise<Host>;
  /** Called when this server does not respond or is no longer the right one. */
  forget: () => void;
}

const DEFAULT_PORT = 5_432;
/** The time within which each server must accept a login and then say whether it is the right one. */
const PROBE_MILLISECONDS = 3_000;

const READ_ONLY_SQL_TRANSACTION = '25006';

const READ_STATE = statement('server-state', { read_only: boolean, in_recovery: boolean })`
  SELECT current_setting('transaction_read_only')::boolean AS read_only, pg_is_in_recovery() AS in_recovery`;

/** Which server a connection must reach. */
export type Target = 'primary' | 'standby';

/**
 * Throws an error when a connection leads to the wrong server. A later attempt may succeed, because a standby can be
 * promoted.
 */
export async function assertTarget(client: ClientBase, target: Target): Promise<void> {
  const { rows } = await client.query<RowOf<typeof READ_STATE>>(READ_STATE.text);
  if (target === 'standby' && !rows[0]?.in_recovery) throw new Error('the server is not a standby');
  if (target === 'primary' && rows[0]?.read_only) {
    const error = new Error('the server accepts no writes, because it is a standby');
    throw Object.assign(error, { code: READ_ONLY_SQL_TRANSACTION });
  }
}

/** Parses `host:port,[::1]:port,host`. */
export function parseHosts(list: string): Host[] {
  return list.split(',').map((each) => {
    const [, bracketed, name, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(each) ?? [];
    return { host: bracketed ?? name ?? '', port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/**
 * Finds the right server among several: the one that accepts writes, or a standby. It queries all servers at the same
 * time, so that a hanging server causes no delay, and remembers the result until `forget` is called.
 */
export class Hosts implements HostFinder {
  readonly #hosts: readonly Host[];
  readonly #configAt: (host: Host) => ClientConfig;
  readonly #target: Target;
  #found: Promise<Host> | null = null;

  constructor(hosts: readonly Host[], configAt: (host: Host) => ClientConfig, target: Target) {
    this.#hosts = hosts;
    this.#configAt = configAt;
    this.#target = target;
  }

  async #probe(host: Host): Promise<Host> {
    // A server may also hang after the login. Without the timeout for queries, a hanging server would block new
    // connections to all other servers.
    const timeouts = { connectionTimeoutMillis: PROBE_MILLISECONDS, query_timeout: PROBE_MILLISECONDS };
    const client = new Client({ ...this.#configAt(host), ...timeouts });
    client.on('error', () => {});
    try {
      await client.connect();
      await assertTarget(client, this.#target);
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

  /** Called when the found server does not respond or is no longer the right one. */
  forget(): void {
    this.#found = null;
  }
}
