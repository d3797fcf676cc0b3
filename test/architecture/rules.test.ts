import { describe, expect, it } from 'vitest';
import { LAYOUT, type Layout } from './layout.ts';
import {
  claims,
  crossings,
  cycles,
  deadCode,
  detours,
  entangledProjections,
  environmentReads,
  impurities,
  knowledge,
  unknownImports,
  writingReaders,
} from './rules.ts';
import { isIn, parseSource, readSources } from './sources.ts';

/** A small repository that keeps all rules, to plant offences in. */
const SAMPLE_LAYOUT: Layout = {
  mayImport: {
    'packages/words': [],
    'packages/log': ['packages/words'],
    'packages/tables': ['packages/words', 'packages/log/range.ts'],
    'apps/api': ['packages/words', 'packages/tables/queries.ts'],
    'apps/load': ['packages'],
  },
  pure: { 'packages/words': ['node:crypto', 'typebox'] },
  projections: 'packages/tables/projections.ts',
  reader: 'apps/api',
  writers: ['packages/log'],
  ignorant: { room: 'packages/log', words: /trip/i },
  askers: ['packages/log'],
  settings: /^apps\/[^/]+\/config\.ts$/,
  tests: /\.test\.ts$/,
  entryPoints: /\/main\.ts$|\.test\.ts$/,
};
const SAMPLE_PACKAGES = new Map([
  ['@our/words', { folder: 'packages/words', exports: { './trip': './trip.ts', './day': './day.ts' } }],
  ['@our/log', { folder: 'packages/log', exports: { '.': './index.ts' } }],
  ['@our/tables', { folder: 'packages/tables', exports: { '.': './projections.ts', './queries': './queries.ts' } }],
]);
const SAMPLE = {
  'packages/words/trip.ts': `import { hash } from 'node:crypto'; import { Value } from 'typebox/value'; export type Trip = 1;`,
  'packages/words/day.ts': `import type { Trip } from './trip.ts'; /** Exported for tests. */ export const noon = 12;`,
  'packages/words/day.test.ts': `import { noon } from './day.ts';`,
  'packages/log/index.ts': `import '@our/words/day'; import './range.ts';`,
  'packages/log/range.ts': `process.stdout.write(process.argv[0]); const manifest = new URL('./package.json', here);`,
  'packages/tables/projections.ts': `import './trips/fold.ts'; import './days/fold.ts'; export const PROJECTIONS = [];`,
  'packages/tables/shared.ts': '',
  'packages/tables/trips/fold.ts': `import '../shared.ts';`,
  'packages/tables/trips/query.ts': 'export const { list, find: [byId, byTrackingId] } = queries;',
  'packages/tables/days/fold.ts': `import type { Sum, Trip } from './sum.ts'; import '../shared.ts';`,
  'packages/tables/days/sum.ts': `import '@our/words/day'; export interface Sum {} export type { Trip } from '@our/words/trip';`,
  'packages/tables/queries.ts': `export * from './trips/query.ts';`,
  'apps/api/main.ts': `const { list, byId } = await import('@our/tables/queries'); import { read } from './config.ts';`,
  'apps/api/config.ts': `export function read({ HOME } = process.env) {}`,
  'apps/load/main.ts': `import '@our/log'; import * as tables from '@our/tables'; tables.PROJECTIONS; new Worker(new URL('./thread.ts'));`,
  'apps/load/thread.ts': `import { byTrackingId } from '@our/tables/queries'; export default function run() {}`,
};

/** What each rule holds, and offences against it, each of them by one file: where, and with which content. */
const RULES: [name: string, rule: typeof crossings, offences: [file: string, text: string][]][] = [
  [
    'lets a room import only what its line in the layout names',
    crossings,
    [
      ['packages/words/planted.ts', `import { append } from '@our/log';`],
      ['packages/words/planted.ts', `import type { Batch } from "@our/log";`],
      ['packages/words/planted.ts', `import {\n  append, // ; from\n} from "../log/index.ts";`],
      ['packages/words/planted.ts', `import '../log/index.ts';`],
      ['packages/words/planted.ts', `export * from '../log/index.ts';`],
      ['packages/words/planted.ts', `export { append } from '../log/index.ts';`],
      ['packages/words/planted.ts', `type Batch = import('../log/index.ts').Batch;`],
      ['packages/words/planted.ts', `await import("../log/index.ts");`],
      ['packages/words/planted.ts', 'await import(`../log/index.ts`);'],
      ['packages/words/planted.ts', `new Worker(new URL('../log/index.ts', import.meta.url));`],
      ['packages/words/planted.ts', `createRequire(import.meta.url)("../log/index.ts");`],
      ['packages/words/planted.ts', `import '../../test/support/world.ts';`],
      ['packages/log/planted.ts', `import '@our/words/not-exported';`],
      ['packages/log/planted.ts', `import '../tables/queries.ts';`],
      ['packages/log/planted.ts', `import '../../apps/load/main.ts';`],
      ['packages/tables/planted.ts', `import '@our/log';`],
      ['apps/api/planted.ts', `import '../../packages/tables/trips/fold.ts';`],
      ['packages/planted/planted.ts', ''],
    ],
  ],
  [
    'lets a package be entered by its name alone',
    detours,
    [
      ['apps/load/planted.ts', `import '../api/config.ts';`],
      ['packages/log/planted.ts', `import("../words/trip.ts");`],
    ],
  ],
  [
    'has no import whose module only running it would tell',
    unknownImports,
    [
      ['apps/load/planted.ts', 'import(NAME);'],
      ['apps/load/planted.ts', 'import("../" + NAME);'],
    ],
  ],
  [
    'keeps input and output out of the pure rooms',
    impurities,
    [
      ['packages/words/planted.ts', `import { readFileSync } from 'node:fs';`],
      ['packages/words/planted.ts', `import { readFileSync } from "fs";`],
      ['packages/words/planted.ts', `const { readFileSync } = await import('node:fs');`],
      ['packages/words/planted.ts', `import pg from 'pg';`],
      ['packages/words/planted.ts', `export const text = await fetch('https://example.org');`],
      ['packages/words/planted.ts', `export const { argv } = process;`],
    ],
  ],
  [
    'lets the engine know positions alone',
    knowledge,
    [
      ['packages/log/planted.ts', `export const TABLE = 'read.trips';`],
      ['packages/log/planted.ts', `export function applyTrip() {}`],
      ['packages/log/planted.ts', `/** Counts trips. */`],
    ],
  ],
  [
    'asks the database by declared statements alone',
    claims,
    [
      ['apps/api/planted.ts', `export const ask = async (pool) => await pool.query('SELECT 1');`],
      ['apps/api/planted.ts', `export const ask = async (pool) => await pool.query<Row>({ ...TRIPS, values });`],
      ['apps/api/planted.ts', `export const ask = async (transaction) => await transaction.rows<Row>(TRIPS);`],
      ['apps/api/planted.ts', `export const ask = async (pool) => await query<Row>(pool, TRIPS);`],
    ],
  ],
  [
    'reads settings in one file of each process',
    environmentReads,
    [
      ['apps/api/planted.ts', `export const home = process.env.HOME;`],
      ['apps/api/planted.ts', `export const home = process['env']['HOME'];`],
      ['apps/api/planted.ts', `export const home = globalThis.process.env.HOME;`],
      ['apps/api/planted.ts', `const { env } = process;`],
      ['apps/api/planted.ts', `const { env } = (globalThis as Planted)['process']!;`],
      ['apps/api/planted.ts', `const us = process;`],
      ['apps/api/planted.ts', `export function home({ env } = process) {}`],
      ['apps/api/planted.ts', `export const us = { ...process };`],
      ['apps/api/planted.ts', `import { env } from 'node:process';`],
      ['apps/api/planted.ts', `import us from "process";`],
      ['packages/log/config.ts', `export const home = process.env['HOME'];`],
    ],
  ],
  [
    'has no cycle of imports, of types neither',
    cycles,
    [
      ['packages/words/trip.ts', `import './trip.ts';`],
      ['packages/words/trip.ts', `import type { Day } from "./day.ts";`],
      ['packages/tables/trips/query.ts', `export * from '../queries.ts';`],
      ['packages/log/range.ts', `await import('@our/log');`],
    ],
  ],
  [
    'has no file and no export that only tests use, or nothing',
    deadCode,
    [
      ['packages/tables/planted.ts', ''],
      ['packages/words/trip.ts', 'export type Trip = 1; export type Planted = 1;'],
      ['packages/words/day.test.ts', ''],
      ['packages/words/day.ts', `export const noon = 12;`],
      ['packages/words/day.ts', `/** Noon. Not exported for tests. */\nexport const noon = 12;`],
      ['packages/tables/queries.ts', `export * from './trips/query.ts'; export { Sum } from './days/sum.ts';`],
      ['packages/tables/queries.ts', `export { list, byId as byTrackingId } from './trips/query.ts';`],
      ['packages/tables/trips/query.ts', 'export const [list, byId, { byTrackingId, planted }] = queries;'],
      ['apps/api/config.ts', `export function read() {} export default read;`],
      ['apps/api/main.ts', `const { list } = await import('@our/tables/queries'); import { read } from './config.ts';`],
    ],
  ],
  [
    'keeps one projection from another',
    entangledProjections,
    [
      ['packages/tables/trips/planted.ts', `import { fold } from '../days/fold.ts';`],
      ['packages/tables/trips/planted.ts', `import type { Sum } from "../days/sum.ts";`],
      ['packages/tables/shared.ts', `import('./trips/query.ts');`],
    ],
  ],
  [
    'keeps everything that writes out of what reads',
    writingReaders,
    [
      ['packages/tables/trips/query.ts', `import './fold.ts';`],
      ['packages/tables/trips/query.ts', `import type { Range } from '../../log/range.ts';`],
      ['packages/tables/queries.ts', `export * from "./projections.ts";`],
      ['packages/tables/queries.ts', `await import("@our/log");`],
    ],
  ],
];

const { sources, withTests } = readSources();
const sample = new Map(Object.entries(SAMPLE).map(([file, text]) => [file, parseSource(file, text, SAMPLE_PACKAGES)]));

describe.each(RULES)('the structure %s', (_name, rule, planted) => {
  it('everywhere', () => {
    expect(rule(rule === deadCode ? withTests : sources, LAYOUT)).toEqual([]);
  });

  it('in the sample', () => {
    expect(rule(sample, SAMPLE_LAYOUT)).toEqual([]);
  });

  it.each(planted)('but not with %s: %s', (file, text) => {
    const source = parseSource(file, text, SAMPLE_PACKAGES);
    expect(rule(new Map([...sample, [file, source]]), SAMPLE_LAYOUT)).not.toEqual([]);
  });
});

describe('the layout', () => {
  it('names what is there', () => {
    const { mayImport, pure, projections, reader, writers, ignorant } = LAYOUT;
    const paths = [
      ...Object.entries(mayImport).flat(2),
      ...Object.keys(pure),
      projections,
      reader,
      ...writers,
      ignorant.room,
    ];
    expect(paths.filter((path) => ![...sources.keys()].some((file) => isIn(file, path)))).toEqual([]);
    expect(sources.get(projections)?.imports.length).toBeGreaterThan(1);
  });
});
