import { inTransaction, sqlState, type Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { byPosition, type PositionRange, type Projection } from '@milepost/projections/engine';
import { deliver, openPipeline, projectAll } from './pipeline.ts';
import { tableTexts } from './tables.ts';

const UNIQUE_VIOLATION = '23505';

/** One projection with its own database. */
export type Fold = Awaited<ReturnType<typeof openFold>>;

export async function openFold(projection: Projection) {
  const pipeline = await openPipeline([projection]);
  const table = `${projection.name}_1`;
  let range = { after: 0, through: 0 };
  return {
    pipeline,
    close: pipeline.close,
    /** Stores the records in one batch and applies them in one range. */
    async take(...records: object[]) {
      const { headPosition } = await deliver(pipeline.ingest, records);
      range = { after: range.through, through: headPosition };
      await projectAll(pipeline, [projection]);
    },
    /** Runs SQL as the superuser, with the fleet as `$1`. The read table has the projection's name. */
    rows: async (sql: string, fleetId: string): Promise<unknown[]> =>
      (await pipeline.owner.query<Record<string, unknown>>(sql, [fleetId])).rows,
    /** Reapplies the range that `take` applied last. Returns the read table's contents before and after. */
    async applyAgain() {
      const before = await tableTexts(pipeline.owner, table);
      await inTransaction(pipeline.projector, (transaction) => projection.apply(transaction, range, table)).catch(
        (error: unknown) => {
          // The table's key may reject rows that already exist.
          if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
        },
      );
      return { before, after: await tableTexts(pipeline.owner, table) };
    },
  };
}

/**
 * Returns a projection that records which ranges have been applied. With `breakAt`, it fails for every range that
 * contains this position.
 */
export function positionsProjection(name: string, version = 1, chunkSize = 10) {
  const applied: { after: number; through: number }[] = [];
  let broken: { position: number; error: Error } | null = null;
  const list = async (transaction: Transaction, range: PositionRange, table: string) => {
    await transaction.run(`INSERT INTO ${table} SELECT generate_series(${range.after + 1}, ${range.through})`);
    if (broken && range.after < broken.position && broken.position <= range.through) throw broken.error;
  };
  const projection: Projection = {
    name,
    version,
    createTable: (table) => `CREATE TABLE ${table} (position bigint NOT NULL);`,
    createIndexes: (table) => `CREATE INDEX ON ${table} (position);`,
    async apply(transaction, range, table) {
      await list(transaction, range, table);
      applied.push(range);
    },
    fill: {
      stages: [byPosition(chunkSize, async (transaction, range, { table }) => await list(transaction, range, table))],
    },
    audit: {
      fields: {},
      expected: () =>
        `SELECT NULL::date AS day, position::text AS key, '' AS value FROM stored_event WHERE position <= $1`,
      actual: (table) => `SELECT NULL::date AS day, position::text AS key, '' AS value FROM ${table}`,
      causes: 'SELECT wanted.key::bigint AS position',
    },
    rows: (table) => `SELECT NULL::date AS day, position::text AS key, '' AS value FROM ${table}`,
  };
  return {
    projection,
    applied,
    breakAt: (position: number, error: Error) => {
      broken = { position, error };
    },
    mend: () => {
      broken = null;
    },
  };
}

/** The real projection with this name. */
export function projectionNamed(name: string): Projection {
  const found = PROJECTIONS.find((projection) => projection.name === name);
  if (!found) throw new Error(`There is no projection ${name}.`);
  return found;
}

/** SQL that returns the rows that the projection's view would show if this table were live. */
export function shownRows(projection: string, table: string): string {
  return `(${projectionNamed(projection).view?.(table) ?? `SELECT * FROM ${table}`})`;
}
