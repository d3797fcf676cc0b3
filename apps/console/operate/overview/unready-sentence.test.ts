import { expect, it } from 'vitest';
import { sentenceOf } from './unready-sentence.ts';

type Unready = Parameters<typeof sentenceOf>[0];

const KAFKA_ERROR = 'The topic cannot be read.';
const BEHIND = 'The read tables lag behind the event log.';
const SENTENCES: [figures: Omit<Unready, 'status'>, sentence: string][] = [
  [{ reason: 'stopping' }, 'The server is stopping.'],
  [{ reason: 'database_unavailable' }, 'The database is not responding.'],
  [{ reason: 'database_not_migrated' }, 'The database has not been migrated to this release.'],
  [{ reason: 'source_fault' }, 'A source has stopped or cannot be read. See the table of sources.'],
  [{ reason: 'source_fault', kafka_error: KAFKA_ERROR }, KAFKA_ERROR],
  [{ reason: 'read_tables_behind' }, BEHIND],
  [{ reason: 'read_tables_behind', limit_seconds: 60 }, BEHIND],
  [
    { reason: 'read_tables_behind', lag_seconds: 412, failed_position: null },
    `${BEHIND} The oldest event that has not been applied was stored 6 min 52 s ago.`,
  ],
  [
    { reason: 'read_tables_behind', lag_seconds: 1_200, limit_seconds: 5, failed_position: 4711 },
    `${BEHIND} The oldest event that has not been applied was stored 20 min ago; the limit is 5.0 s. A projection has stopped at position 4711.`,
  ],
  [
    { reason: 'read_tables_behind', lag_seconds: 0, limit_seconds: 0, failed_position: 1 },
    `${BEHIND} The oldest event that has not been applied was stored 0.0 s ago; the limit is 0.0 s. A projection has stopped at position 1.`,
  ],
  [{ reason: 'read_tables_behind', failed_position: 7 }, `${BEHIND} A projection has stopped at position 7.`],
  [{ reason: 'ingest_missing' }, 'No ingest process has read from a source yet.'],
  [{ reason: 'ingest_missing', missing_seconds: null }, 'No ingest process has read from a source yet.'],
  [
    { reason: 'ingest_missing', missing_seconds: 95, limit_seconds: 60 },
    'No ingest process has read from a source for 1 min 35 s.',
  ],
  [
    { reason: 'ingest_missing', missing_seconds: 0, kafka_error: KAFKA_ERROR },
    `No ingest process has read from a source for 0.0 s. ${KAFKA_ERROR}`,
  ],
];

it.each(SENTENCES)('sentenceOf explains why the server is not ready: %j', (figures, sentence) => {
  expect(sentenceOf({ status: 'not_ready', ...figures })).toBe(sentence);
});
