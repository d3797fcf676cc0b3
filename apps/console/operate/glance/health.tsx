import { secondsText } from '../figures.ts';
import { live, readiness } from '../live/follow-status.ts';
import type { Readiness } from '../requests.ts';

type Unready = Extract<Readiness, { status: 'not_ready' }>;

/** Why it is not ready, in a sentence. */
function sentenceOf({ reason, lag_seconds, limit_seconds, failed_position, missing_seconds }: Unready): string {
  switch (reason) {
    case 'stopping':
      return 'The server stops.';
    case 'database_unavailable':
      return 'The database does not answer.';
    case 'database_not_migrated':
      return 'The database has not been migrated to this release.';
    case 'source_fault':
      return 'A source stands still, or cannot be read: see below.';
    case 'read_tables_behind': {
      const age =
        lag_seconds === undefined ? '' : ` The oldest event not applied has waited for ${secondsText(lag_seconds)}`;
      const limit = limit_seconds === undefined || age === '' ? '' : `; ${secondsText(limit_seconds)} is the limit`;
      const failed = failed_position ? ` A projection stands still at position ${failed_position}.` : '';
      return `The read tables are behind.${age}${limit}${age === '' ? '' : '.'}${failed}`;
    }
    case 'ingest_missing':
      return typeof missing_seconds === 'number'
        ? `No process has held a source for ${secondsText(missing_seconds)}.`
        : 'No process has ever held a source.';
  }
}

/** Whether all is well, and what is not. Nothing is said of health that is not of this moment. */
export function Health() {
  const now = readiness.value;
  if (live.value.state !== 'live' || now === null) {
    return <p class="health unknown">Health is not known at the moment.</p>;
  }
  if (now.status === 'ready') {
    return <p class="health well">Ready: records come in and are applied in time.</p>;
  }
  return (
    <p class="health ill" role="alert">
      Not ready. {sentenceOf(now)}
    </p>
  );
}
