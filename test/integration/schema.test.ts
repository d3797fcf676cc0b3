import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/sources.ts';
import { createTestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/describe-schema.ts';
import { openDirectory, openPipeline, openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** The tables for which Kysely builds statements. */
const TABLES = ['dead_letter', 'log_source'];

/** Lists columns in order, with the values that a check constraint allows. */
const COLUMNS = `
  SELECT attname AS name, atttypid::regtype::text AS type, NOT attnotnull AS nullable, attidentity <> '' OR atthasdef AS generated,
    (SELECT array_agg('''' || word[1] || '''') FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') word
     WHERE conrelid = attrelid AND conkey = ARRAY[attnum] AND contype = 'c') AS words
  FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;

const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  'bigint[]': 'string[]',
  boolean: 'boolean',
  bytea: 'Buffer',
  integer: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
};

describeWithPostgres('the types of the tables', () => {
  it('match the migrated schema', async () => {
    const pipeline = await openPipeline();
    const tables: string[] = [];
    for (const table of TABLES) {
      const { rows } = await pipeline.owner.query(COLUMNS, [table]);
      const lines = rows.map(({ name, type, nullable, generated, words }) => {
        const value = `${words?.join(' | ') ?? TYPES[type]}${nullable ? ' | null' : ''}`;
        return `    ${name}: ${generated ? `Generated<${value}>` : value};\n`;
      });
      tables.push(`  ${table}: {\n${lines.join('')}  };\n`);
    }
    await pipeline.close();
    const text = `import type { Generated } from 'kysely';

/** The PostgreSQL tables. Generated: \`npx vitest run test/integration/schema.test.ts --update\`. */
export interface Tables {
${tables.join('')}}
`;
    await expect(text).toMatchFileSnapshot(join(ROOT, 'packages/operator/dead-letters/tables.ts'));
  });
});

describeWithPostgres('the schema of a migrated database', () => {
  it.each([
    ['lane', openPool],
    ['directory', openDirectory],
  ])('equals the committed schema: the %s', async (kind, open) => {
    const database = await createTestDatabase();
    const owner = open(database.url);
    const schema = await describeSchema(owner);
    await owner.end();
    await database.drop();
    const text = `-- The schema after all migrations. Generated: \`npx vitest run test/integration/schema.test.ts --update\`.\n\n${schema}`;
    await expect(text).toMatchFileSnapshot(join(ROOT, `packages/platform/postgres/migrations/${kind}/schema.sql`));
  });
});
