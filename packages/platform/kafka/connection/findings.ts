import { execute, inTransaction, type Pool, statement } from '@milepost/postgres';

/** A problem with Kafka, described in one sentence for operators. */
export interface KafkaFinding {
  /** If null, the problem is with the connection or the group, so it affects all topics. */
  topic: string | null;
  code:
    | 'connection_failed'
    | 'group_denied'
    | 'topic_denied'
    | 'topic_compacted'
    | 'topic_retention_short'
    | 'topic_messages_large';
  /** Whether records are still read despite the problem. */
  isWarning: boolean;
  message: string;
}

/** A recurring finding keeps the time at which it was first found. */
const ADD = statement('add-kafka-findings')`
  INSERT INTO kafka_finding (topic, code, is_warning, message)
  SELECT topic, code, is_warning, message
  FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[]) AS finding (topic, code, is_warning, message)
  ON CONFLICT (topic, code) DO UPDATE SET is_warning = excluded.is_warning, message = excluded.message`;

const REMOVE_OTHERS = statement('remove-other-kafka-findings')`
  DELETE FROM kafka_finding WHERE NOT EXISTS (
    SELECT FROM unnest($1::text[], $2::text[]) AS finding (topic, code)
    WHERE finding.topic = kafka_finding.topic AND finding.code = kafka_finding.code)`;

/** Adds a finding to the list, or updates it if it is already there. */
export async function addKafkaFinding(pool: Pool, { topic, code, isWarning, message }: KafkaFinding): Promise<void> {
  await execute(pool, ADD, [[topic ?? ''], [code], [isWarning], [message]]);
}

/** Replaces all findings with these. */
export async function replaceKafkaFindings(pool: Pool, findings: readonly KafkaFinding[]): Promise<void> {
  const keys = [findings.map(({ topic }) => topic ?? ''), findings.map(({ code }) => code)];
  const others = [findings.map(({ isWarning }) => isWarning), findings.map(({ message }) => message)];
  await inTransaction(pool, async (transaction) => {
    await transaction.execute(REMOVE_OTHERS, keys);
    await transaction.execute(ADD, [...keys, ...others]);
  });
}
