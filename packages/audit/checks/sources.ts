import type { Statement, Transaction } from '@milepost/postgres';
import type { AuditFault } from '../report.ts';
import { faultOf } from './fault.ts';

const MOST_SOURCES = 20;

interface SourceCounts {
  topic: string;
  partition: number;
  records_read: number;
  records_stored: number;
  records_duplicate: number;
  records_dead_letter: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
}

/** Duplicates came to be kept one by one later than counted, so there may be fewer of them. */
const MISCOUNTED_SOURCES: Statement = {
  name: 'audit-miscounted-sources',
  text: `SELECT topic, partition, records_read, records_stored, records_duplicate, records_dead_letter,
           coalesce(stored, 0) AS stored, coalesce(duplicates, 0) AS duplicates, coalesce(dead_letters, 0) AS dead_letters
         FROM log.source
         LEFT JOIN (SELECT source_id, count(*) AS stored FROM log.stored_event GROUP BY source_id) event USING (source_id)
         LEFT JOIN (SELECT source_id, count(*) AS duplicates FROM log.duplicate GROUP BY source_id) again USING (source_id)
         LEFT JOIN (SELECT source_id, count(*) AS dead_letters FROM log.dead_letter
                    WHERE resolution IS NULL OR resolution = 'discarded' GROUP BY source_id) letter USING (source_id)
         WHERE records_read <> records_stored + records_duplicate + records_dead_letter
           OR records_stored <> coalesce(stored, 0) OR records_dead_letter <> coalesce(dead_letters, 0)
           OR records_duplicate < coalesce(duplicates, 0)
         ORDER BY topic, partition LIMIT ${MOST_SOURCES}`,
};

/** Checks that each source's counts add up, and are what the log holds of it. */
export async function checkSources(transaction: Transaction): Promise<AuditFault[]> {
  const sources = await transaction.rows<SourceCounts>(MISCOUNTED_SOURCES);
  return sources.map((source) => {
    const counted = `${source.records_read} read = ${source.records_stored} stored + ${source.records_duplicate} duplicates + ${source.records_dead_letter} dead letters`;
    const found = `${source.stored} stored events, ${source.duplicates} duplicates and ${source.dead_letters} dead letters`;
    return faultOf(
      'source_counts',
      null,
      `Source ${source.topic}/${source.partition} counts ${counted}, and the log has ${found} of it.`,
    );
  });
}
