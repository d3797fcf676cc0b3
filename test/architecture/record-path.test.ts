import { expect, it } from 'vitest';
import { isIn, readSources } from './sources.ts';

/**
 * The two processes that handle a record between Kafka and the read tables, and the decoder that the Kafka client
 * calls.
 */
const STARTS = ['apps/ingest/main.ts', 'packages/platform/kafka/patches/fetch-decoder.ts', 'apps/projector/main.ts'];
/** Packages that every process uses, and the connection to Kafka. They do not belong to a record's path. */
const FOUNDATIONS = [
  'packages/platform/kafka/connection',
  'packages/platform/kafka/patches',
  'packages/platform/metrics',
  'packages/platform/postgres',
  'packages/platform/service',
  'packages/platform/tracing',
  'apps/ingest/kafka/topic-watch.ts',
];
/** Settings, and the parts of projections and the log that are run only by operations. */
const OPERATIONS = /\/(audit|compare|config|erase|erase-rows|faults|fill|resources|retention|score-changes)\.ts$/;
const MAX_FILES = 70;

it(`the path of a record through the code has at most ${MAX_FILES} files`, () => {
  const { sources } = readSources();
  const found = new Set<string>();
  const visit = (file: string | null) => {
    const source = file === null ? undefined : sources.get(file);
    if (file === null || source === undefined || found.has(file)) return;
    const isSkipped = OPERATIONS.test(file) || FOUNDATIONS.some((prefix) => isIn(file, prefix));
    if (isSkipped && !STARTS.includes(file)) return;
    found.add(file);
    for (const { target, kind } of source.imports) if (kind !== 'type') visit(target);
  };
  for (const file of STARTS) visit(file);
  for (const file of STARTS) expect(found).toContain(file);
  expect(found.size, [...found].sort().join('\n')).toBeLessThanOrEqual(MAX_FILES);
});
