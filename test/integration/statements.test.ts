import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredStatements, statement } from '@milepost/postgres';
import { tableStatement } from '@milepost/postgres/table-statement';
import { PROJECTIONS } from '@milepost/projections';
import { scratchTables, tableOf } from '@milepost/projections/engine';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, readSources } from '../architecture/sources.ts';
import { statementFaults } from '../support/describe-statement.ts';
import { describeWithPipeline } from '../support/pipeline-suites.ts';

/** The files that declare statements, with the statements' literal names. All other names are composed at run time. */
const DECLARING = [...readSources().sources.keys()].flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!/^import .*\b(?:s|tableS)tatement\b.* from /ms.test(text)) return [];
  return { file, names: Array.from(text.matchAll(/\b(?:s|tableS)tatement\(\s*'([\w:-]+)/g), ([, name]) => name) };
});

describeWithPipeline('a declared statement', (pipeline) => {
  let client: PoolClient;
  let directory: PoolClient;

  beforeAll(async () => {
    client = await pipeline.owner.connect();
    directory = await pipeline.directory.connect();
    for (const { name, fill } of PROJECTIONS) {
      for (const scratch of scratchTables(fill, tableOf(name, 1))) {
        await client.query(`CREATE TABLE ${scratch.name} (${scratch.columns})`);
      }
    }
    for (const { file } of DECLARING) await import(join(ROOT, file));
  });

  afterAll(async () => {
    client.release();
    directory.release();
  });

  it('returns the columns that it declares, on the migrated schema', async () => {
    const faults: string[] = [];
    for (const [name, declared] of declaredStatements()) {
      // Other test files in the same worker declare statements for their own tables.
      if (name.startsWith('test-')) continue;
      if (typeof declared !== 'function') {
        // A statement runs on only one of the parts, because no statement may use both.
        const [inLane = [], inDirectory = []] = await Promise.all(
          [client, directory].map(async (part) => await statementFaults(part, declared)),
        );
        if (inDirectory.length > 0) faults.push(...inLane);
        continue;
      }
      // A statement whose prefix is a projection's name belongs to that projection. Any other statement belongs to the
      // projections with a suitable table.
      const own = PROJECTIONS.filter((projection) => name.startsWith(`${projection.name}:`));
      const found = await Promise.all(
        (own.length > 0 ? own : PROJECTIONS).map((projection) =>
          statementFaults(client, declared(tableOf(projection.name, 1))),
        ),
      );
      if (!found.some((each) => each.length === 0)) faults.push(...found.flat());
    }
    expect(faults).toEqual([]);
  });

  it('is registered for every file that declares statements', () => {
    const names = DECLARING.flatMap((each) => each.names);
    expect(names.length).toBeGreaterThan(100);
    expect([...declaredStatements().keys()]).toEqual(expect.arrayContaining(names));
  });

  it('is reported if a column was renamed, has a different type, may be null, or is not declared', async () => {
    const renamed = {
      name: 'planted',
      text: 'SELECT position AS place, driver_id, trip_id, fleet_id FROM stored_event',
      columns: { position: 'number', driver_id: 'text', trip_id: 'date' },
    } as const;
    expect(await statementFaults(client, renamed)).toEqual([
      'planted: place is not declared',
      'planted: trip_id is of type 2950',
      'planted: fleet_id is not declared',
      'planted: position is missing',
      'planted: driver_id may be null',
      'planted: trip_id may be null',
    ]);
    const [fault] = await statementFaults(client, { ...renamed, text: 'SELECT gone FROM stored_event' });
    expect(fault).toMatch('column "gone" does not exist');
  });

  it('has a unique name', () => {
    statement('test-planted')`SELECT 1`;
    expect(() => statement('test-planted')`SELECT 2`).toThrow('declared twice');
    expect(() => tableStatement('test-planted')`SELECT 1`).toThrow('declared twice');
  });
});
