import type { Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { byPosition, type PositionRange, type Projection } from '@milepost/projections/engine';

/** Returns the positions from 1 to `last`. */
export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

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
