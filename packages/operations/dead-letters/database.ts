import type { Pool } from '@milepost/postgres';
import { type Generated, Kysely, PostgresDialect } from 'kysely';

interface DeadLetterTable {
  dead_letter_id: Generated<number>;
  received_at: Date;
  source_id: number;
  source_offset: number;
  reason: string;
  field: string | null;
  message: string;
  raw: Buffer | null;
  resolution: 'retried' | 'duplicate' | 'discarded' | null;
  resolved_at: Date | null;
  note: string | null;
}

interface SourceTable {
  source_id: number;
  topic: string;
  partition: number;
}

export interface DeadLetterTables {
  'log.dead_letter': DeadLetterTable;
  'log.source': SourceTable;
}

/** Builds queries whose filters depend on what an operator asks for. The pool stays the caller's to close. */
export function queryBuilder(pool: Pool): Kysely<DeadLetterTables> {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
