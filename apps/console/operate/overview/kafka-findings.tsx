import type { Schemas } from '../api.ts';
import { Timestamp } from '../timestamp.tsx';

/** Ingest's findings about Kafka. */
export function KafkaFindings({ findings }: { findings: readonly Schemas['KafkaFinding'][] }) {
  return (
    <section>
      <h2>Kafka</h2>
      <ul>
        {findings.map(({ topic, code, severity, message, found_at }) => (
          <li key={`${topic} ${code}`} class={severity === 'error' ? 'fault' : ''}>
            <b>{severity === 'error' ? 'Error' : 'Warning'}</b> since <Timestamp time={found_at} />: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
