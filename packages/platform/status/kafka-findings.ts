import { boolean, columns, statement, type Transaction, text, timestamp } from '@milepost/postgres';

const READ_FINDINGS = statement('status-kafka-findings', {
  ...columns(text, 'topic', 'code', 'message'),
  is_warning: boolean,
  found_at: timestamp,
})`
  SELECT topic, code, message, is_warning, found_at FROM kafka_finding ORDER BY is_warning, topic, code LIMIT 100`;

/** Reads the problems that ingest found in Kafka, errors first. `transaction` acts as the operator role. */
export async function readKafkaFindings(transaction: Transaction) {
  const rows = await transaction.rows(READ_FINDINGS);
  return rows.map(({ topic, is_warning, ...finding }) => ({
    topic: topic === '' ? null : topic,
    severity: is_warning ? ('warning' as const) : ('error' as const),
    ...finding,
  }));
}
