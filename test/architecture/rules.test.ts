import { describe, expect, it } from 'vitest';
import { LAYOUT, type Layout } from './layout.ts';
import {
  computedCalls,
  cycles,
  deadCode,
  dependentProjections,
  directClients,
  domainWords,
  dynamicImports,
  folderCycles,
  forbiddenImports,
  importsByPath,
  impurities,
  schemaNames,
  unappliedPatterns,
  undeclaredQueries,
  writingApps,
  writingReaders,
} from './rules.ts';
import { isIn, parseSource, readSources } from './sources.ts';

/** A small repository that follows all rules. Each test adds one violation to it. */
const SAMPLE_LAYOUT: Layout = {
  mayImport: {
    'packages/core/words': [],
    'packages/core/log': ['packages/core/words'],
    'packages/core/tables': ['packages/core/words', 'packages/core/log/range.ts'],
    'apps/api': ['packages/core/words', 'packages/core/tables/queries.ts'],
    'apps/load': ['packages'],
  },
  pure: { 'packages/core/words': ['node:crypto', 'typebox'] },
  projections: 'packages/core/tables/projections.ts',
  reader: 'apps/api',
  writers: ['packages/core/log'],
  domainAgnostic: { component: 'packages/core/log', words: /trip/i },
  undeclaredQueryPaths: ['packages/core/log'],
  databaseClients: ['packages/core/log'],
  readOnlySql: ['apps'],
  tests: /\.test\.ts$/,
  entryPoints: /\/main\.ts$|\.test\.ts$/,
};
const SAMPLE_PACKAGES = new Map([
  ['@our/words', { folder: 'packages/core/words', exports: { './trip': './trip.ts', './day': './day.ts' } }],
  ['@our/log', { folder: 'packages/core/log', exports: { '.': './index.ts' } }],
  [
    '@our/tables',
    { folder: 'packages/core/tables', exports: { '.': './projections.ts', './queries': './queries.ts' } },
  ],
]);
const SAMPLE = {
  'packages/core/words/trip.ts': `import { hash } from 'node:crypto'; import { Value } from 'typebox/value'; export type Trip = 1;`,
  'packages/core/words/day.ts': `import type { Trip } from './trip.ts'; /** Exported for tests. */ export const noon = 12;`,
  'packages/core/words/day.test.ts': `import { noon } from './day.ts';`,
  'packages/core/log/index.ts': `import '@our/words/day'; import './range.ts';`,
  'packages/core/log/range.ts': `process.stdout.write(process.argv[0]); const manifest = new URL('./package.json', here);`,
  'packages/core/tables/projections.ts': `import './trips/fold.ts'; import './days/fold.ts'; export const PROJECTIONS = [];`,
  'packages/core/tables/shared.ts': '',
  'packages/core/tables/trips/fold.ts': `import '../shared.ts';`,
  'packages/core/tables/trips/query.ts': 'export const { list, find: [byId, byTrackingId] } = queries;',
  'packages/core/tables/days/fold.ts': `import type { Sum, Trip } from './sum.ts'; import '../shared.ts';`,
  'packages/core/tables/days/sum.ts': `import '@our/words/day'; export interface Sum {} export type { Trip } from '@our/words/trip';`,
  'packages/core/tables/queries.ts': `export * from './trips/query.ts';`,
  'apps/api/main.ts': `const { list, byId } = await import('@our/tables/queries'); import { read } from './config.ts';`,
  'apps/api/config.ts': `export function read({ HOME } = process.env) {}`,
  'apps/load/main.ts': `import '@our/log'; import './read/lines.ts'; import * as tables from '@our/tables'; tables.PROJECTIONS; new Worker(new URL('./thread.ts'));`,
  'apps/load/published/main.ts': `export { type Limit } from '../write/limit.ts';`,
  'apps/load/write/limit.ts': 'export interface Limit {}',
  'apps/load/read/lines.ts': `import '../write/rows.ts';`,
  'apps/load/write/rows.ts': '',
  'apps/load/thread.ts': `import { byTrackingId } from '@our/tables/queries'; export default function run() {}`,
};

/** Files to which violations are added. */
const IN_WORDS = 'packages/core/words/planted.ts';
const IN_LOG = 'packages/core/log/planted.ts';
const IN_TABLES = 'packages/core/tables/planted.ts';
const IN_API = 'apps/api/planted.ts';
const IN_LOAD = 'apps/load/planted.ts';
const IN_TEST = 'packages/core/words/day.test.ts';

type Violation = [file: string, text: string];

/** Combines a rule with examples that violate it. A violation is one file with its path and contents. */
const ruled = (name: string, rule: typeof forbiddenImports, violations: Violation[]) =>
  [name, rule, violations] as const;

const RULES = [
  ruled('a component imports only from the paths named in the layout', forbiddenImports, [
    [IN_WORDS, `import { append } from '@our/log';`],
    [IN_WORDS, `import type { Batch } from "@our/log";`],
    [IN_WORDS, `import {\n  append, // ; from\n} from "../log/index.ts";`],
    [IN_WORDS, `import '../log/index.ts';`],
    [IN_WORDS, `export * from '../log/index.ts';`],
    [IN_WORDS, `export { append } from '../log/index.ts';`],
    [IN_WORDS, `type Batch = import('../log/index.ts').Batch;`],
    [IN_WORDS, `await import("../log/index.ts");`],
    [IN_WORDS, 'await import(`../log/index.ts`);'],
    [IN_WORDS, `new Worker(new URL('../log/index.ts', import.meta.url));`],
    [IN_WORDS, `createRequire(import.meta.url)("../log/index.ts");`],
    [IN_WORDS, `import '../../../test/support/world.ts';`],
    [IN_LOG, `import '@our/words/not-exported';`],
    [IN_LOG, `import '../tables/queries.ts';`],
    [IN_LOG, `import '../../../apps/load/main.ts';`],
    [IN_TABLES, `import '@our/log';`],
    [IN_API, `import '../../packages/core/tables/trips/fold.ts';`],
    ['packages/core/planted/planted.ts', ''],
  ]),
  ruled('a package is imported only by its name', importsByPath, [
    [IN_LOAD, `import '../api/config.ts';`],
    [IN_LOG, `import("../words/trip.ts");`],
  ]),
  ruled('the module of every import is known without running the code', dynamicImports, [
    [IN_LOAD, 'import(NAME);'],
    [IN_LOAD, 'import("../" + NAME);'],
  ]),
  ruled('a pure component has no input and output', impurities, [
    [IN_WORDS, `import { readFileSync } from 'node:fs';`],
    [IN_WORDS, `import pg from 'pg';`],
    [IN_WORDS, `export const text = await fetch('https://example.org');`],
    [IN_WORDS, `export const { argv } = process;`],
    [IN_WORDS, `export const today = () => Date.now();`],
    [IN_WORDS, `export const today = () => new Date();`],
    [IN_WORDS, `export const today = () => Date['now']();`],
    [IN_WORDS, `export const chance = () => Math.random();`],
    [IN_WORDS, `export const elapsed = () => performance.now();`],
  ]),
  ruled('the engine depends only on positions', domainWords, [
    [IN_LOG, `export const TABLE = 'trips';`],
    [IN_LOG, `export function applyTrip() {}`],
    [IN_LOG, `/** Counts trips. */`],
  ]),
  ruled('the database is queried only by declared statements', undeclaredQueries, [
    [IN_API, `export const ask = async (pool) => await pool.query('SELECT 1');`],
    [IN_API, `export const ask = async (pool) => await pool.query<Row>({ ...TRIPS, values });`],
    [IN_API, `export const ask = async (transaction) => await transaction.rows<Row>(TRIPS);`],
    [IN_API, `export const ask = async (pool) => await query<Row>(pool, TRIPS);`],
  ]),
  ruled('imports form no cycle, including imports of types', cycles, [
    ['packages/core/words/trip.ts', `import './trip.ts';`],
    ['packages/core/words/trip.ts', `import type { Day } from "./day.ts";`],
    ['packages/core/tables/trips/query.ts', `export * from '../queries.ts';`],
    ['packages/core/log/range.ts', `await import('@our/log');`],
    ['packages/core/log/range.ts', `new Worker(new URL('./index.ts', import.meta.url));`],
  ]),
  ruled('only the files that set role and schema create pools and connections', directClients, [
    [IN_API, `import { Pool } from 'pg';`],
    [IN_TABLES, `const { Client } = await import('pg');`],
    [IN_TABLES, `import Pool from 'pg-pool';`],
    [IN_TABLES, `const { Pool } = createRequire(import.meta.url)('pg');`],
  ]),
  ruled('no method is called by a computed name', computedCalls, [
    [IN_TABLES, `export const ask = async (pool, name) => await pool[name]('SELECT 1');`],
    [IN_TABLES, `export const ask = async (pool, name) => await pool[\`\${name}\`]('SELECT 1');`],
    [IN_TABLES, `export const ask = async (pool, name) => await (pool as Asker)[name + 'y']?.('SELECT 1');`],
  ]),
  ruled('a test applies each regular expression that it expects', unappliedPatterns, [
    [IN_TEST, `import { noon } from './day.ts'; expect(noon).toMatchObject({ name: /noon/ });`],
    [IN_TEST, `import { noon } from './day.ts'; expect([noon]).toMatchObject([/noon/]);`],
    [
      IN_TEST,
      `import { noon } from './day.ts'; expect(noon.sort(by())).toMatchObject({ a: f(1), ...{ name: /noon/ } });`,
    ],
  ]),
  ruled('only packages write to the database', writingApps, [
    [IN_API, 'export const clear = (pool) => unprepared(pool, {}, `DELETE FROM trips`);'],
    [IN_API, 'export const clear = (pool) => unprepared(pool, {}, `UPDATE trips SET trip_id = NULL`);'],
    [IN_LOAD, 'export const clear = (pool) => unprepared(pool, {}, `TRUNCATE trips`);'],
  ]),
  ruled('the folders of an app or package import each other without a cycle', folderCycles, [
    ['apps/load/write/rows.ts', `import type { Line } from '../read/text.ts';`],
  ]),
  ruled('SQL names no schema', schemaNames, [
    [IN_LOG, "export const HEAD = statement('head')`SELECT position FROM log.head`;"],
    [IN_LOG, "export const HEAD = statement('head')`UPDATE\n  log.head SET position = 1`;"],
    [IN_LOG, "export const HEAD = statement('head')`INSERT INTO log.head VALUES (1)`;"],
    [IN_LOG, "export const HEAD = statement('head')`SELECT FROM head JOIN log.source USING (id)`;"],
    [IN_LOG, 'export const HEAD = `CREATE TABLE IF NOT EXISTS log.head (position bigint)`;'],
    [IN_LOG, 'export const HEAD = `CREATE UNIQUE INDEX ON log.head (position)`;'],
    [IN_LOG, 'export const HEAD = `GRANT SELECT ON log.head TO reader`;'],
    [IN_LOG, `export const TRIPS = (name) => \`SELECT FROM read.\${name}\`;`],
    [IN_LOG, "export const ID = statement('id')`SELECT nextval('log.head_id_seq')`;"],
  ]),
  ruled('every file and every export is used by production code', deadCode, [
    [IN_TABLES, ''],
    ['packages/core/words/trip.ts', 'export type Trip = 1; export type Planted = 1;'],
    [IN_TEST, ''],
    ['packages/core/words/day.ts', `export const noon = 12;`],
    ['packages/core/words/day.ts', `/** Noon. Not exported for tests. */\nexport const noon = 12;`],
    ['packages/core/tables/queries.ts', `export * from './trips/query.ts'; export { Sum } from './days/sum.ts';`],
    ['packages/core/tables/queries.ts', `export { list, byId as byTrackingId } from './trips/query.ts';`],
    ['packages/core/tables/trips/query.ts', 'export const [list, byId, { byTrackingId, planted }] = queries;'],
    ['apps/api/config.ts', `export function read() {} export default read;`],
    ['apps/api/main.ts', `const { list } = await import('@our/tables/queries'); import { read } from './config.ts';`],
  ]),
  ruled('a projection does not import another one', dependentProjections, [
    ['packages/core/tables/trips/planted.ts', `import { fold } from '../days/fold.ts';`],
    ['packages/core/tables/trips/planted.ts', `import type { Sum } from "../days/sum.ts";`],
    ['packages/core/tables/shared.ts', `import('./trips/query.ts');`],
  ]),
  ruled('code that only reads does not import code that writes', writingReaders, [
    ['packages/core/tables/trips/query.ts', `import './fold.ts';`],
    ['packages/core/tables/trips/query.ts', `import type { Range } from '../../log/range.ts';`],
    ['packages/core/tables/queries.ts', `await import("@our/log");`],
  ]),
];

/** The rules that also read the tests. */
const RULES_OF_TESTS = new Set([deadCode, unappliedPatterns]);

const { sources, withTests } = readSources();
const sample = new Map(Object.entries(SAMPLE).map(([file, text]) => [file, parseSource(file, text, SAMPLE_PACKAGES)]));

describe.each(RULES)('the rule: %s', (_name, rule, violations) => {
  it('holds in this repository', () => {
    expect(rule(RULES_OF_TESTS.has(rule) ? withTests : sources, LAYOUT)).toEqual([]);
  });

  it('holds in the sample', () => {
    expect(rule(sample, SAMPLE_LAYOUT)).toEqual([]);
  });

  it.each(violations)('is violated by %s: %s', (file, text) => {
    const source = parseSource(file, text, SAMPLE_PACKAGES);
    expect(rule(new Map([...sample, [file, source]]), SAMPLE_LAYOUT)).not.toEqual([]);
  });
});

describe('the layout', () => {
  it('names only existing paths', () => {
    const { mayImport, pure, projections, reader, writers, domainAgnostic } = LAYOUT;
    const paths = [
      ...Object.entries(mayImport).flat(2),
      ...Object.keys(pure),
      projections,
      reader,
      ...writers,
      domainAgnostic.component,
    ];
    expect(paths.filter((path) => ![...sources.keys()].some((file) => isIn(file, path)))).toEqual([]);
    expect(sources.get(projections)?.imports.length).toBeGreaterThan(1);
  });
});
