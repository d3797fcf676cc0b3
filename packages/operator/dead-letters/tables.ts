import type { Generated } from 'kysely';

/** The PostgreSQL tables. Generated: `npx vitest run test/integration/schema.test.ts --update`. */
export interface Tables {
  dead_letter: {
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
    rest_bytes: Generated<number>;
    fleets: string[] | null;
    names: string[] | null;
  };
  log_source: {
    source_id: Generated<number>;
    topic: string;
    partition: number;
    next_offset: Generated<number>;
    epoch: Generated<number>;
    records_read: Generated<number>;
    records_stored: Generated<number>;
    records_duplicate: Generated<number>;
    records_dead_letter: Generated<number>;
    held_at: Date | null;
    last_offset: number | null;
    last_timestamp: number | null;
    last_hash: Buffer | null;
    fault: string | null;
    fault_at: Date | null;
    stopped: Generated<boolean>;
    ended_at: Date | null;
    records_elsewhere: Generated<number>;
  };
}
