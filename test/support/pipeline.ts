import { appendTogether, type SourceBatch } from '@milepost/event-log/append';
import { readHeadPosition } from '@milepost/event-log/head';
import { type IncomingRecord, readRecord } from '@milepost/event-log/prepare';
import { claimSource, type SourceClaim } from '@milepost/event-log/sources';
import { createPool, directoryAt, laneAt, type Part, type Pool, ROLES, type Role } from '@milepost/postgres';
import { FIRST_LANE, type Lane } from '@milepost/postgres/lanes';
import { newLane } from '@milepost/postgres/lanes/add-lane';
import { PROJECTIONS } from '@milepost/projections';
import { type Projection, prepareGenerations } from '@milepost/projections/engine';
import { advance } from '../../packages/core/projections/engine/advance.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** Opens a pool on a lane or a directory, as a role or as the superuser. */
export function openPartPool(
  part: Part,
  role?: Role,
  connections = 4,
  limits: Partial<Parameters<typeof createPool>[0]> = {},
): Pool {
  return createPool({
    part,
    ...(role ? { role } : {}),
    applicationName: 'milepost-test',
    connections,
    statementTimeoutMilliseconds: 60_000,
    acquireTimeoutMilliseconds: 60_000,
    ...limits,
  });
}

/** Opens a pool on a database's lane. */
export function openPool(url: string, role?: Role, connections?: number): Pool {
  return openPartPool(laneAt(url), role, connections);
}

/** Opens a pool on a database's directory. */
export function openDirectory(url: string, role?: Role): Pool {
  return openPartPool(directoryAt(url), role, 2);
}

/** A database, with the servers and connections that use it until it is closed. By default, closing keeps the database. */
export class TestLog {
  readonly url: string;
  readonly #drop: TestDatabase['drop'] | undefined;
  readonly #servers: { close: () => Promise<unknown> }[] = [];
  readonly #pools: Pool[] = [];

  constructor({ url, drop }: Pick<TestDatabase, 'url'> & Partial<TestDatabase>) {
    this.url = url;
    this.#drop = drop;
  }

  lane(number: number): Lane {
    return number === FIRST_LANE ? { ...laneAt(this.url), number } : newLane(this.url, number);
  }

  /** Opens connections to a lane or the directory, as a role or as the superuser. */
  open(part: Part, role?: Role, connections?: number): Pool {
    const pool = openPartPool(part, role, connections);
    this.#pools.push(pool);
    return pool;
  }

  /** Opens connections to the directory, as a role or as the superuser. */
  openDirectory(role?: Role, connections = 5): Pool {
    return this.open(directoryAt(this.url), role, connections);
  }

  /** Closes a server with the database, before the connections that it uses. */
  keep<Server extends { close: () => Promise<unknown> }>(server: Server): Server {
    this.#servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    try {
      for (const server of this.#servers.toReversed()) await server.close();
    } finally {
      await Promise.all(this.#pools.map((pool) => pool.end()));
      await this.#drop?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * A database with one pool for each process, in that process's role. The tests call the processes' functions directly.
 */
export class Pipeline extends TestLog {
  readonly ingest = this.open(this.lane(FIRST_LANE), ROLES.ingest, 10);
  readonly projector = this.open(this.lane(FIRST_LANE), ROLES.projector, 12);
  readonly operator = this.open(this.lane(FIRST_LANE), ROLES.operator);
  readonly eraser = this.open(this.lane(FIRST_LANE), ROLES.eraser);
  readonly api = this.open(this.lane(FIRST_LANE), ROLES.api);
  /** A superuser's pool on the lane, for inspection and for faults. */
  readonly owner = this.open(this.lane(FIRST_LANE), undefined, 5);
  /** A superuser's pool on the directory. */
  readonly directory = this.openDirectory();
  /** Runs a statement as the superuser on the lane. Returns the rows that it finds. */
  readonly rows = async <Row extends object = Record<string, unknown>>(
    sql: string,
    ...values: unknown[]
  ): Promise<Row[]> => (await this.owner.query<Row>(sql, values)).rows;
}

/**
 * Opens a migrated database without stored events. If `projections` is empty, the database has no read tables. By
 * default, the database is on the server that the tests share. `close` drops it.
 */
export async function openPipeline(projections: readonly Projection[] = PROJECTIONS, database?: TestDatabase) {
  const pipeline = new Pipeline(database ?? (await createTestDatabase()));
  await prepareGenerations(pipeline.projector, projections);
  return pipeline;
}

/**
 * Returns a record in the form that ingest appends. An object becomes JSON, but strings and bytes stay unchanged. The
 * bytes begin inside a larger buffer, as they do for records in a Kafka batch and lines in a file.
 */
export function incoming(offset: number, record: object | string | Uint8Array | null): IncomingRecord {
  const text = typeof record === 'string' || record instanceof Uint8Array ? record : JSON.stringify(record);
  const raw = record === null ? null : Buffer.concat([Buffer.from(' '), Buffer.from(text)]).subarray(1);
  return { offset, raw, prepared: readRecord(raw, Date.now()) };
}

/** Returns records with consecutive offsets in the form that ingest appends. */
export function incomingAll(records: readonly Parameters<typeof incoming>[1][], firstOffset = 0): IncomingRecord[] {
  return records.map((record, index) => incoming(firstOffset + index, record));
}

/** Stores a batch from one source. `nextOffset` is the offset after the batch's last record. */
export async function append(
  pool: Pool,
  claim: SourceClaim,
  records: readonly IncomingRecord[],
  nextOffset: number,
  more: Partial<SourceBatch> = {},
) {
  const { headPosition, appended } = await appendTogether(pool, [{ claim, records, nextOffset, ...more }]);
  const [batch] = appended;
  if (!batch) throw new Error('Appending a batch returned no result for it.');
  return { ...batch, headPosition };
}

/** Stores records in one batch that starts at the source's committed offset, as a process does after its claim. */
export async function deliver(pool: Pool, records: readonly (object | string | Uint8Array | null)[], topic = 'trips') {
  const claim = await claimSource(pool, topic, 0);
  return await append(pool, claim, incomingAll(records, claim.nextOffset), claim.nextOffset + records.length);
}

/** Applies the whole log in batches. `batchSize` returns the size of the next batch. */
export async function projectAll(
  { projector }: Pick<Pipeline, 'projector'>,
  projections: readonly Projection[] = PROJECTIONS,
  batchSize: () => number = () => 1_000,
): Promise<void> {
  const head = await readHeadPosition(projector);
  for (;;) {
    const { through } = await advance(projector, projections, batchSize());
    if (through >= head) return;
  }
}

/** Stores records in one batch and applies the whole log. */
export async function deliverAndProject(
  pipeline: Pick<Pipeline, 'ingest' | 'projector'>,
  records: readonly (object | string | Uint8Array | null)[],
  topic?: string,
) {
  const delivered = await deliver(pipeline.ingest, records, topic);
  await projectAll(pipeline);
  return delivered;
}

/** Stores records in a lane and applies the lane's log. */
export async function fillLane(
  url: string,
  lane: number,
  records: readonly (object | string)[],
  topic?: string,
): Promise<void> {
  await using log = new TestLog({ url });
  const pools = {
    ingest: log.open(log.lane(lane), ROLES.ingest),
    projector: log.open(log.lane(lane), ROLES.projector),
  };
  await deliverAndProject(pools, records, topic);
}
