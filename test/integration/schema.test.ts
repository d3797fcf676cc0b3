import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/sources.ts';
import { createTestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/describe-schema.ts';
import { openDirectory, openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

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
