import { Client, type ClientConfig } from 'pg';
import { boolean, statement, text } from './statement.ts';

/** A PostgreSQL server. */
export interface Host {
  host: string;
  port: number;
}

/** Finds the server of new connections. */
export interface HostFinder {
  /** Returns the server to which a connection is opened now. */
  usable: () => Promise<Host>;
  /** Called when this server does not answer or is no longer the wanted one. */
  forget: () => void;
}

/** Finds a server that can be replaced by another one while it still answers. */
export interface MovingHost extends HostFinder {
  /** Looks for the server again. Resolves when a change is known; never rejects. */
  look: () => Promise<void>;
  /** Whether new connections are opened to a server, as far as is known. */
  isCurrent: (host: Host) => boolean;
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
type AssertServer = (client: Client) => Promise<void>;

/** Throws ReadOnlyServerError when the server of a connection accepts no writes. */
export async function assertWritable(client: Client): Promise<void> {
  const result = await client.query<{ read_only: string }>(READ_ONLY.text);
  if (result.rows[0]?.read_only === 'on') throw new ReadOnlyServerError();
}

const IN_RECOVERY = statement('in-recovery', { in_recovery: boolean })`SELECT pg_is_in_recovery() AS in_recovery`;

/** Throws an error when the server of a connection is not a standby, for example after its promotion. */
export async function assertStandby(client: Client): Promise<void> {
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
  readonly #config: ClientConfig;
  readonly #assertServer: AssertServer;
  #found: Promise<Host> | null = null;

  constructor(hosts: readonly Host[], config: ClientConfig, assertServer: AssertServer) {
    this.#hosts = hosts;
    this.#config = config;
    this.#assertServer = assertServer;
  }

  async #probe(host: Host): Promise<Host> {
    // A server may hang after the login, too. Until it answered, no connection could be opened to any other server.
    const timeouts = { connectionTimeoutMillis: PROBE_MILLISECONDS, query_timeout: PROBE_MILLISECONDS };
    const client = new Client({ ...this.#config, ...timeouts });
    // The host in the URL takes precedence over the options of a client.
    Object.assign(client, host);
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

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * Returns a class of connections. A connection goes to the server that is the wanted one when the connection is opened.
 */
export function clientOf(hosts: HostFinder, assertServer: AssertServer): typeof Client {
  return class extends Client {
    override connect(): Promise<Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<Client> | undefined {
      const connecting = this.#connect();
      if (!callback) return connecting;
      const call = (...results: [unknown, Client?]) => Reflect.apply(callback, undefined, results);
      connecting.then(
        () => call(null, this),
        (error) => call(error),
      );
      return undefined;
    }

    async #connect(): Promise<Client> {
      // The pool listens for errors only after this method. Without a listener, a lost connection ends the process.
      this.on('error', () => {});
      Object.assign(this, await hosts.usable());
      try {
        await super.connect();
        await assertServer(this);
        return this;
      } catch (error) {
        hosts.forget();
        // The pool does not close a connection that it never got.
        super.end().catch(() => {});
        throw error;
      }
    }
  };
}
