import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';
import type { Static } from 'typebox';
import type { ProjectionStatus, SourceState } from './resource.ts';

const NEWEST_FILES = 10;

async function readProjections(transaction: Transaction): Promise<Static<typeof ProjectionStatus>[]> {
  return await transaction.rows({
    name: 'status-projections',
    text: `SELECT generation.projection AS name, version, generation, checkpoint,
             head.position - checkpoint AS lag_events,
             coalesce(greatest(extract(epoch FROM clock_timestamp() - next.stored_at), 0), 0) AS lag_seconds,
             failed_position, failure
           FROM projection.generation CROSS JOIN log.head
           LEFT JOIN log.stored_event AS next ON next.position = checkpoint + 1
           WHERE live ORDER BY name`,
  });
}

async function readSources(transaction: Transaction): Promise<SourceState[]> {
  return await transaction.rows(
    {
      name: 'status-sources',
      text: `(SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log.source
              WHERE topic NOT LIKE '%:%' ORDER BY topic, partition)
             UNION ALL
             (SELECT topic, partition, next_offset, stopped, fault, fault_at FROM log.source
              WHERE topic LIKE 'file:%' ORDER BY source_id DESC LIMIT $1)`,
    },
    [NEWEST_FILES],
  );
}

async function readNumber(transaction: Transaction, name: string, text: string): Promise<number> {
  const [row] = await transaction.rows<{ value: number }>({ name, text });
  return row?.value ?? 0;
}

export type LogStatus = Awaited<ReturnType<typeof readLogStatus>>;

/** What the database knows, as of one moment. `pool` acts in the operator's role. */
export async function readLogStatus(pool: Pool) {
  return await inTransaction(pool, async (transaction) => {
    // One snapshot for all statements: otherwise a checkpoint could be ahead of the head read before it.
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      head_position: await readNumber(transaction, 'status-head', 'SELECT position AS value FROM log.head'),
      projections: await readProjections(transaction),
      dead_letters: await readNumber(
        transaction,
        'status-dead-letters',
        'SELECT count(*) AS value FROM log.dead_letter WHERE resolution IS NULL',
      ),
      sources: await readSources(transaction),
    };
  });
}
