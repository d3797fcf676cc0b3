import { Client, type ClientBase, type ClientConfig } from 'pg';
import { SQLSTATES } from './errors.ts';
import { type RowOf, statement } from './statement.ts';

/** Finds the server for new connections: one of several hosts, or the node that owns a lane. */
export interface HostFinder {
  /** Returns the `host:port` of the server to which the next connection should be opened. */
  usable: () => Promise<string>;
  /** Called when this server does not respond or is no longer the right one. */
  forget: () => void;
}

const DEFAULT_PORT = 5_432;
/** The time within which each server must accept a login and then say whether it is the right one. */
const PROBE_MILLISECONDS = 3_000;

const READ_STATE = statement('server-state', { read_only: 'boolean', in_recovery: 'boolean' })`
  SELECT current_setting('transaction_read_only')::boolean AS read_only, pg_is_in_recovery() AS in_recovery`;

/** Which server a connection must reach. */
type Target = 'primary' | 'standby';

/**
 * Throws an error when a connection leads to the wrong server. A later attempt may succeed, because a standby can be
 * promoted.
 */
export async function assertTarget(client: ClientBase, target: Target): Promise<void> {
  const { rows } = await client.query<RowOf<typeof READ_STATE>>(READ_STATE.text);
  if (target === 'standby' && !rows[0]?.in_recovery) throw new Error('the server is not a standby');
  if (target === 'primary' && rows[0]?.read_only) {
    const error = new Error('the server accepts no writes, because it is a standby');
    throw Object.assign(error, { code: SQLSTATES.read_only_sql_transaction });
  }
}

/** Returns a URL's host with a port, which is PostgreSQL's default port if the host has none. */
export function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`;
}

/** Returns the host if its server is the right one. */
async function probe(host: string, configAt: (host: string) => ClientConfig, target: Target): Promise<string> {
  // A server may also hang after the login. Without the timeout for queries, a hung server would block new connections
  // to all other servers.
  const timeouts = { connectionTimeoutMillis: PROBE_MILLISECONDS, query_timeout: PROBE_MILLISECONDS };
  const client = new Client({ ...configAt(host), ...timeouts });
  client.on('error', () => {});
  try {
    await client.connect();
    await assertTarget(client, target);
    return host;
  } finally {
    client.end().catch(() => {});
  }
}

/**
 * Finds the right server among several: the one that accepts writes, or a standby. The finder queries all servers at
 * the same time, so that a hung server causes no delay, and remembers the result until `forget` is called.
 */
export function hostAmong(
  hosts: readonly string[],
  configAt: (host: string) => ClientConfig,
  target: Target,
): HostFinder {
  let found: Promise<string> | null = null;
  const forget = () => {
    found = null;
  };
  const find = async () => {
    try {
      return await Promise.any(hosts.map((host) => probe(host, configAt, target)));
    } catch (error) {
      forget();
      throw error instanceof AggregateError ? error.errors.at(-1) : error;
    }
  };
  return {
    async usable() {
      found ??= find();
      return await found;
    },
    forget,
  };
}
