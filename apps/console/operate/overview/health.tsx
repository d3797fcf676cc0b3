import { connection, readiness } from '../live/follow-status.ts';
import { sentenceOf } from './unready-sentence.ts';

/** Shows whether the server is ready and, if not, why. While there is no live connection, the health is unknown. */
export function Health() {
  const now = readiness.value;
  if (connection.value.state !== 'live' || now === null) {
    return <p class="health unknown">The health of the service is currently unknown.</p>;
  }
  if (now.status === 'ready') {
    return <p class="health well">Ready: records are stored and applied on time.</p>;
  }
  return (
    <p class="health ill" role="alert">
      Not ready{now.lane === undefined ? '' : `, lane ${now.lane}`}. {sentenceOf(now)}
    </p>
  );
}
