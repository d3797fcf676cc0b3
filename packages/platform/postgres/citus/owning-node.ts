import { type HostFinder, withPort } from '../hosts.ts';
import { directoryAt } from '../parts.ts';
import { createPool } from '../pool.ts';
import { unprepared } from '../statement.ts';

/** The lanes' nodes are looked up this often, because statements fail or are slow on a node that a lane has left. */
const READ_MILLISECONDS = 1_000;
/** The lanes' nodes are looked up at most once in this time. */
const MIN_MILLISECONDS = 100;
const TIMEOUT_MILLISECONDS = 3_000;

/** All tables of a distributed schema are on one node, so any table identifies the node. */
const LIST_OWNERS = `
  SELECT nspname::text AS schema, nodename AS host, nodeport AS port FROM pg_dist_schema
  JOIN pg_namespace ON pg_namespace.oid = schemaid,
  LATERAL (SELECT nodename, nodeport FROM pg_dist_partition JOIN pg_dist_shard USING (logicalrelid)
    JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
    WHERE pg_dist_partition.colocationid = pg_dist_schema.colocationid AND noderole = 'primary' LIMIT 1) owner`;

/** Tracks which node of a Citus cluster owns each distributed schema. */
class Cluster {
  readonly #url: string;
  #owners: ReadonlyMap<string, string> | null = null;
  #isDoubtful = true;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the `host:port` of a schema's node, or of the coordinator if the schema is not distributed. */
  async find(schema: string): Promise<string> {
    if (this.#owners === null) await this.read();
    // If the coordinator is not available, the last known node is the best guess.
    else if (this.#isDoubtful) await this.read().catch(() => {});
    this.#timer ??= setInterval(() => this.read().catch(() => {}), READ_MILLISECONDS).unref();
    return this.#owners?.get(schema) ?? withPort(new URL(this.#url).host);
  }

  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Queries the coordinator, unless it has just responded. */
  async read(): Promise<void> {
    if (performance.now() - this.#readAt < MIN_MILLISECONDS) return;
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #ask(): Promise<void> {
    const coordinator = createPool({
      part: directoryAt(this.#url),
      applicationName: 'milepost-lanes',
      connections: 1,
      statementTimeoutMilliseconds: TIMEOUT_MILLISECONDS,
      silenceMilliseconds: 0,
      acquireTimeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
    try {
      const rows = await unprepared(coordinator, { schema: 'text', host: 'text', port: 'number' }, LIST_OWNERS);
      this.#owners = new Map(
        rows.map(({ schema, host, port }) => [schema, `${host.includes(':') ? `[${host}]` : host}:${port}`]),
      );
      this.#isDoubtful = false;
      this.#readAt = performance.now();
    } finally {
      coordinator.end().catch(() => {});
    }
  }
}

const clusters = new Map<string, Cluster>();

/**
 * Finds the node that owns a distributed schema, and finds it again after `citus_schema_move`.
 *
 * @param url the URL of the coordinator, with a user
 */
export function owningNode(url: string, schema: string): HostFinder {
  const cluster = clusters.get(url) ?? new Cluster(url);
  clusters.set(url, cluster);
  return { usable: async () => await cluster.find(schema), forget: () => cluster.doubt() };
}
