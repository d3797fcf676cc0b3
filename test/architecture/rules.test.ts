import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool, Transaction } from '@milepost/postgres';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { importsOf, loadedBy, ROOT, sourcesUnder } from './imports.ts';

const OURS = /^@milepost\//;

function offenders(folder: string, forbidden: (name: string) => boolean): string[] {
  return sourcesUnder(folder).flatMap((file) =>
    importsOf(file)
      .filter(forbidden)
      .map((name) => `${file} imports ${name}`),
  );
}

describe('the structure that the design fixes', () => {
  it('keeps the vocabulary and the pure rules free of everything else of ours', () => {
    expect(offenders('packages/domain', (name) => OURS.test(name))).toEqual([]);
    expect(offenders('packages/trail-codec', (name) => OURS.test(name))).toEqual([]);
    expect(offenders('packages/trip-event-codec', (name) => OURS.test(name))).toEqual([]);
  });

  it('keeps the projection engine ignorant of trips', () => {
    expect(
      offenders('packages/projections/engine', (name) => OURS.test(name) && name !== '@milepost/postgres'),
    ).toEqual([]);
  });

  it('keeps everything that writes out of the API', () => {
    const writes = (name: string) =>
      OURS.test(name) &&
      !/^@milepost\/(projections\/queries|domain\/.*|postgres|embedded-postgres\/locate|service|http)$/.test(name);
    expect(offenders('apps/api', writes)).toEqual([]);
    const loaded = [...loadedBy('apps/api/main.ts')];
    expect(loaded).toContain('packages/projections/queries.ts');
    expect(
      loaded.filter((file) => /\/projection\.ts$|^packages\/(event-log|projections\/engine)\//.test(file)),
    ).toEqual([]);
  });

  it('keeps processes out of packages, and other processes out of the one for operators', () => {
    const process = /^@milepost\/(api|cli|ingest|ops|projector)\b/;
    expect(offenders('packages', (name) => process.test(name))).toEqual([]);
    // Operators ask Kafka, and try dead letters again, as ingest does.
    const others = (name: string) =>
      process.test(name) && !/^@milepost\/ingest\/(config|kafka-client|dead-letters)$/.test(name);
    expect(offenders('apps/ops', others)).toEqual([]);
  });

  it('lets data flow one way: what is upstream knows nothing of what is downstream', () => {
    const downstream = /^@milepost\/(projections|replay|audit|erasure|projector|api)/;
    expect(offenders('packages/event-log', (name) => downstream.test(name))).toEqual([]);
    expect(offenders('apps/ingest', (name) => downstream.test(name))).toEqual([]);
  });

  it('keeps one projection from another, so that each can be replayed alone', () => {
    const crossing = sourcesUnder('packages/projections')
      .filter((file) => file.endsWith('/projection.ts'))
      .flatMap((file) =>
        importsOf(file).filter((name) => name.endsWith('/projection.ts') && !name.startsWith('../log/')),
      );
    expect(crossing).toEqual([]);
  });

  it('reads settings in config.ts alone', () => {
    const readers = [...sourcesUnder('apps'), ...sourcesUnder('packages')].filter((file) =>
      readFileSync(join(ROOT, file), 'utf8').includes('process.env'),
    );
    expect(readers.filter((file) => !/^apps\/[a-z]+\/config\.ts$/.test(file))).toEqual([]);
  });

  it('declares every package of ours that a package imports', () => {
    const missing = globSync('{apps,packages}/*/package.json', { cwd: ROOT }).flatMap((manifest) => {
      const { name, dependencies } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8'));
      return sourcesUnder(manifest.replace('/package.json', ''))
        .flatMap((file) => importsOf(file))
        .map((imported) => /^(@[^/]+\/[^/]+|[^./][^/]*)/.exec(imported)?.[0])
        .filter((imported) => imported !== undefined)
        .filter((imported) => !imported.startsWith('node:') && imported !== name && !(imported in dependencies))
        .map((imported) => `${name} imports ${imported}`);
    });
    expect([...new Set(missing)]).toEqual([]);
  });

  it('does not let a pool pass for a transaction', () => {
    expectTypeOf<Pool>().not.toExtend<Transaction>();
  });
});
