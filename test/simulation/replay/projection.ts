import { byPosition, type Projection } from '@milepost/projections/engine';

const CHUNK_POSITIONS = 2;
const NONE = { fields: [], expected: '', actual: () => '', causes: '' };

/** Returns a projection whose table has a row for each position. The simulated store runs its statements. */
function projectionNamed(name: string): Projection {
  return {
    name,
    version: 1,
    createTable: (table) => `CREATE TABLE ${table}`,
    createIndexes: (table) => `INDEX ${table}`,
    apply: async (transaction, { after, through }, table) =>
      await transaction.run(`APPLY ${table} ${after} ${through}`),
    fill: {
      stages: [
        byPosition(CHUNK_POSITIONS, async (transaction, { after, through }, { table }) => {
          await transaction.run(`APPLY ${table} ${after} ${through}`);
        }),
      ],
    },
    audit: NONE,
    rows: (table) => `ROWS OF ${table}`,
  };
}

export const SIMULATED: readonly Projection[] = [projectionNamed('sample')];
