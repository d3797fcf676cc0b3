import { expect, it } from 'vitest';
import { isIn, readSources } from './sources.ts';

/** The two processes that handle a record between Kafka and the read tables. */
const PROCESSES = ['apps/ingest/main.ts', 'apps/projector/main.ts'];
/** Packages that every process uses, and the connection to Kafka. They do not count as part of the path of a record. */
const FOUNDATIONS = [
  'packages/trial/embedded-postgres',
  'packages/platform/metrics',
  'packages/platform/postgres',
  'packages/platform/service',
  'packages/platform/tracing',
  'apps/ingest/connection',
];
/** Settings, and the parts of projections and of the log that only operations run. */
const OPERATIONS =
  /\/(audit|compare|config|erase|erase-rows|faults|fill|focus-changes|resources|retention|retry-dead-letters|score-changes)\.ts$/;
const MAX_FILES = 100;

it(`the path of a record through the code has at most ${MAX_FILES} files`, () => {
  const { sources } = readSources();
  const found = new Set<string>();
  const visit = (file: string | null) => {
    const source = file === null ? undefined : sources.get(file);
    if (file === null || source === undefined || found.has(file)) return;
    if (OPERATIONS.test(file) || FOUNDATIONS.some((prefix) => isIn(file, prefix))) return;
    found.add(file);
    for (const { target, kind } of source.imports) if (kind !== 'type') visit(target);
  };
  for (const file of PROCESSES) visit(file);
  for (const file of PROCESSES) expect(found).toContain(file);
  expect(found.size, [...found].sort().join('\n')).toBeLessThanOrEqual(MAX_FILES);
});
