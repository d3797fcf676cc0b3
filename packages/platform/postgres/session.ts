import { type ClientBase, escapeIdentifier, escapeLiteral, type PoolConfig } from 'pg';
import { assertTarget, type HostFinder, hostAmong, withPort } from './hosts.ts';
import { inTime } from './in-time.ts';

/** Milepost's own parameters in a database URL. */
const OTHER_HOSTS = 'other_hosts';
const POOL_MODE = 'pool_mode';

/** A server that does not respond to the first message within this time is considered hung. */
const MAX_SET_MILLISECONDS = 4_000;
/** The message with which the pool reports a timeout, and by which callers recognize it. */
const TIMEOUT = 'timeout exceeded when trying to connect';

/** The settings that every connection sets, and that every login has for connections that cannot set them. */
export const COMMON_SETTINGS = {
  // Makes text output show all digits of a double.
  extra_float_digits: '1',
  // PostgreSQL ends a stuck process's open transaction after this time, because its locks block all other sessions.
  idle_in_transaction_session_timeout: '60s',
};

/** The settings of every session on a database, besides those in the URL. */
interface SessionSettings {
  /** The only schema that statements can see. */
  schema: string;
  role?: string | undefined;
  /** Other settings, by their names in PostgreSQL. */
  settings: Readonly<Record<string, string>>;
}

function setStatements({ schema, role, settings }: SessionSettings): string {
  const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${escapeLiteral(value)}`);
  // Use only this schema, not "$user" or public, because other users could create tables in those schemas.
  statements.push(`SET search_path = ${escapeIdentifier(schema)}`);
  if (role !== undefined) statements.push(`SET role = ${escapeLiteral(role)}`);
  return statements.join('; ');
}

/** Returns the startup options in the URL, and those that PgBouncer tracks for each client in transaction mode. */
function startupOptions(named: string | null, { schema }: SessionSettings, isShared: boolean): { options?: string } {
  const tracked = isShared ? `-c search_path=${schema} -c timezone=UTC` : '';
  const options = [named ?? '', tracked].filter((each) => each !== '').join(' ');
  return options === '' ? {} : { options };
}

/** Whether a pooler may give each transaction on this URL a different PostgreSQL session. */
export function isTransactionPooled(url: string): boolean {
  return new URL(url).searchParams.get(POOL_MODE) === 'transaction';
}

/** Converts libpq's TLS parameters to the equivalent node-postgres parameters. */
function convertTls(parameters: URLSearchParams): void {
  // Without a file, Node verifies certificates against the system's authorities.
  if (parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert');
  if (parameters.has('sslmode') && !parameters.has('uselibpqcompat')) parameters.set('uselibpqcompat', 'true');
}

/** How connections on a database URL are opened. */
export interface Access {
  /** The schema in which each connection begins. */
  schema: string;
  /** Finds one of several hosts; null if the URL names the only host. */
  finder: HostFinder | null;
  /** Returns the options for a pool on a `host:port`; null stands for the host in the URL. */
  configAt: (host: string | null) => PoolConfig;
}

/**
 * Reads how connections on a database URL are opened. Each connection gets its settings in one message before its first
 * use, because poolers reject or drop unknown startup parameters.
 *
 * With `pool_mode=transaction` in the URL, a pooler may give each transaction a different session, so connections do
 * not change settings. Instead, the login's settings apply (`prepare-roles.ts`), and the pooler tracks the schema.
 */
export function accessTo(url: string, session: SessionSettings): Access {
  const address = new URL(url);
  const parameters = address.searchParams;
  const isShared = isTransactionPooled(url);
  const others = parameters.get(OTHER_HOSTS);
  const wanted = parameters.get('target_session_attrs') ?? 'any';
  const named = parameters.get('options');
  for (const name of [POOL_MODE, OTHER_HOSTS, 'target_session_attrs', 'options']) parameters.delete(name);
  convertTls(parameters);
  const target = wanted === 'standby' ? 'standby' : 'primary';
  const clientAt = (host: string | null) => {
    const at = new URL(address);
    if (host) at.host = host;
    return { connectionString: at.href, ...startupOptions(named, session, isShared) };
  };
  const statements = isShared ? '' : setStatements(session);
  const hosts = [address.host, ...(others?.split(',') ?? [])].map(withPort);
  return {
    schema: session.schema,
    finder: wanted === 'any' && others === null ? null : hostAmong(hosts, clientAt, target),
    configAt: (host) => {
      const prepare = async (client: ClientBase) => {
        if (host) await assertTarget(client, target);
        if (statements !== '') await client.query(statements);
      };
      // The pool awaits this promise, although the declared type returns `void`. The pool's own timeout applies only
      // until the connection is open.
      const onConnect = async (client: ClientBase) => await inTime(prepare(client), MAX_SET_MILLISECONDS, TIMEOUT);
      return { ...clientAt(host), onConnect };
    },
  };
}
