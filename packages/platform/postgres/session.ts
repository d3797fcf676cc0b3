import { type ClientBase, escapeIdentifier, escapeLiteral, type PoolConfig } from 'pg';
import {
  type AssertServer,
  assertStandby,
  assertWritable,
  type Host,
  type HostFinder,
  Hosts,
  parseHosts,
} from './hosts.ts';

/** The parameters of a database URL that Milepost itself reads. */
export const OTHER_HOSTS = 'other_hosts';
const POOL_MODE = 'pool_mode';

/** A server that does not respond to the first message within this time is considered hung. */
const MAX_SET_MILLISECONDS = 4_000;
/** The message with which the pool reports a timeout, and by which callers recognize it. */
const TIMEOUT = 'timeout exceeded when trying to connect';

/** The settings of every session on a database, besides those in its URL. */
interface SessionSettings {
  /** The only schema that statements see. */
  schema: string;
  role?: string | undefined;
  /** Other settings, by their names in PostgreSQL. */
  settings: Readonly<Record<string, string>>;
}

function setStatements({ schema, role, settings }: SessionSettings): string {
  const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${escapeLiteral(value)}`);
  // Use only this schema, and neither "$user" nor public, because others could create tables there.
  statements.push(`SET search_path = ${escapeIdentifier(schema)}`);
  if (role !== undefined) statements.push(`SET role = ${escapeLiteral(role)}`);
  return statements.join('; ');
}

/** Returns the startup options of the URL, and those that PgBouncer tracks for each client in transaction mode. */
function startupOptions(named: string | null, { schema }: SessionSettings, isShared: boolean): { options?: string } {
  const tracked = isShared ? `-c search_path=${schema} -c timezone=UTC` : '';
  const options = [named ?? '', tracked].filter((each) => each !== '').join(' ');
  return options === '' ? {} : { options };
}

/** Whether a pooler may give each transaction on this URL a different PostgreSQL session. */
export function isTransactionPooled(url: string): boolean {
  return new URL(url).searchParams.get(POOL_MODE) === 'transaction';
}

/** Converts libpq's TLS parameters to those of node-postgres with the same meaning. */
function convertTls(parameters: URLSearchParams): void {
  // Without a file, Node verifies certificates against the system's authorities.
  if (parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert');
  if (parameters.has('sslmode') && !parameters.has('uselibpqcompat')) parameters.set('uselibpqcompat', 'true');
}

/** How connections on a database URL are opened. */
export interface Access {
  /** The schema in which each connection begins. */
  schema: string;
  /** Finds one of several hosts; null if the URL contains the only one. */
  finder: HostFinder | null;
  /** Returns the options for a pool on this host, which is null for the host in the URL. */
  configAt: (host: Host | null) => PoolConfig;
}

/**
 * Reads how connections on a database URL are opened. Each connection gets its settings in one message before its first
 * use, because poolers refuse or drop unknown startup parameters.
 *
 * With `pool_mode=transaction` in the URL, a pooler may give each transaction a different session, so connections set
 * nothing. Instead, the settings of the login apply (`role-plan.ts`), and the pooler tracks the schema.
 */
export function accessTo(url: string, session: SessionSettings): Access {
  const address = new URL(url);
  const parameters = address.searchParams;
  const isShared = isTransactionPooled(url);
  const others = parameters.get(OTHER_HOSTS);
  const target = parameters.get('target_session_attrs') ?? 'any';
  const named = parameters.get('options');
  for (const name of [POOL_MODE, OTHER_HOSTS, 'target_session_attrs', 'options']) parameters.delete(name);
  convertTls(parameters);
  const assertServer = target === 'standby' ? assertStandby : assertWritable;
  const clientAt = (host: Host | null) => {
    const at = new URL(address);
    if (host) at.host = `${host.host.includes(':') ? `[${host.host}]` : host.host}:${host.port}`;
    return { connectionString: at.href, ...startupOptions(named, session, isShared) };
  };
  const hosts = parseHosts([address.host, ...(others === null ? [] : [others])].join(','));
  return {
    schema: session.schema,
    finder: target === 'any' && others === null ? null : new Hosts(hosts, clientAt, assertServer),
    configAt: (host) => ({
      ...clientAt(host),
      onConnect: prepare(isShared ? '' : setStatements(session), host && assertServer),
    }),
  };
}

/** The pool waits for the promise of the returned function, although its type says otherwise. */
function prepare(statements: string, assertServer: AssertServer | null) {
  return async (client: ClientBase): Promise<void> => {
    const late = Promise.withResolvers<never>();
    // The pool limits only the time until the connection is open.
    const timer = setTimeout(() => late.reject(new Error(TIMEOUT)), MAX_SET_MILLISECONDS);
    const work = async () => {
      await assertServer?.(client);
      if (statements !== '') await client.query(statements);
    };
    await Promise.race([work(), late.promise]).finally(() => clearTimeout(timer));
  };
}
