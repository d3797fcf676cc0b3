import type { Schemas } from '../api.ts';
import { secondsText } from '../text.ts';

/** A sentence that explains why the server is not ready. */
export function sentenceOf(unready: Schemas['NotReady']): string {
  const { reason, lag_seconds, limit_seconds, failed_position, missing_seconds, kafka_error } = unready;
  switch (reason) {
    case 'stopping':
      return 'The server is stopping.';
    case 'database_unavailable':
      return 'The database is not responding.';
    case 'database_not_migrated':
      return 'The database has not been migrated to this release.';
    case 'source_fault':
      return kafka_error ?? 'A source has stopped or cannot be read. See the table of sources.';
    case 'read_tables_behind': {
      const age =
        lag_seconds === undefined
          ? ''
          : ` The oldest event that has not been applied was stored ${secondsText(lag_seconds)} ago`;
      const limit = limit_seconds === undefined || age === '' ? '' : `; the limit is ${secondsText(limit_seconds)}`;
      const failed = failed_position ? ` A projection has stopped at position ${failed_position}.` : '';
      return `The read tables lag behind the event log.${age}${limit}${age === '' ? '' : '.'}${failed}`;
    }
    case 'ingest_missing': {
      const missing =
        typeof missing_seconds === 'number'
          ? `No ingest process has read from a source for ${secondsText(missing_seconds)}.`
          : 'No ingest process has read from a source yet.';
      return kafka_error === undefined ? missing : `${missing} ${kafka_error}`;
    }
  }
}
