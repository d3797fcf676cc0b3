import { append, claimSource, type IncomingRecord, readHeadPosition, readRecord } from '@milepost/event-log';
import { createPool, type Pool, ROLES, type Role } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type Projection, prepareGenerations } from '@milepost/projections/engine';
import { advance } from '../../packages/projections/engine/advance.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database of its own with pools in the roles of the processes; what they do is called by hand. */
export interface Pipeline {
  url: string;
  ingest: Pool;
  projector: Pool;
  operator: Pool;
  api: Pool;
  /** A pool of the superuser, for looking and for breaking things. */
  owner: Pool;
  close: () => Promise<void>;
}

/** A pool in a role, or in the superuser's own. */
export function openPool(url: string, role?: Role, connections = 4): Pool {
  return createPool({
    url,
    ...(role ? { role } : {}),
    applicationName: 'milepost-test',
    connections,
    statementTimeoutMilliseconds: 60_000,
    acquireTimeoutMilliseconds: 60_000,
  });
}

/**
 * A migrated database without any stored event; with `projections` none, without any read table too. It is one of the
 * server that the tests share, unless another `database` is given, which `close` drops too.
 */
export async function openPipeline(
  projections: readonly Projection[] = PROJECTIONS,
  database?: TestDatabase,
): Promise<Pipeline> {
  const { url, drop } = database ?? (await createTestDatabase());
  const pools = {
    ingest: openPool(url, ROLES.ingest, 10),
    projector: openPool(url, ROLES.projector, 12),
    operator: openPool(url, ROLES.operator),
    api: openPool(url, ROLES.api),
    owner: openPool(url),
  };
  await prepareGenerations(pools.projector, projections);
  return {
    url,
    ...pools,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
      await drop();
    },
  };
}

/** A record as ingest hands it to the log: an object as its JSON, text and bytes as they are. */
export function incoming(offset: number, record: object | string | Uint8Array | null): IncomingRecord {
  const text = typeof record === 'string' || record instanceof Uint8Array ? record : JSON.stringify(record);
  const raw = record === null ? null : Buffer.from(text);
  return { offset, raw, prepared: readRecord(raw, Date.now()) };
}

/** Stores records in one batch where the source's committed offset is, as a process that has just claimed it does. */
export async function deliver(pool: Pool, records: readonly (object | string | Uint8Array | null)[], topic = 'trips') {
  const claim = await claimSource(pool, topic, 0);
  const batch = records.map((record, index) => incoming(claim.nextOffset + index, record));
  return await append(pool, claim, batch, claim.nextOffset + records.length);
}

/** Applies all that the log holds, in batches of the size that `batchSize` says each time. */
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
