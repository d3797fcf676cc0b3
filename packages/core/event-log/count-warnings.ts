import { statement, type Transaction } from '@milepost/postgres';
import type { PlacedDraft } from './insert.ts';

const COUNT_WARNINGS = statement('count-warnings')`
  INSERT INTO source_warning AS known (source_id, reason, field, records)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
  ON CONFLICT (source_id, reason, field) DO UPDATE SET records = known.records + excluded.records`;

/**
 * Counts the warnings of stored events, without the names of unknown fields. If there are none, it runs no statement.
 */
export async function countWarnings(transaction: Transaction, placed: readonly PlacedDraft[]): Promise<void> {
  const counts = new Map<string, { sourceId: number; reason: string; field: string; records: number }>();
  for (const { draft, sourceId } of placed) {
    if (draft.warnings === undefined) continue;
    // A record counts once for each reason and field, even if it has several unknown names there.
    const own = new Map(draft.warnings.map((warning) => [`${sourceId} ${warning.reason} ${warning.field}`, warning]));
    for (const [key, { reason, field }] of own) {
      const count = counts.get(key) ?? { sourceId, reason, field, records: 0 };
      counts.set(key, { ...count, records: count.records + 1 });
    }
  }
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  await transaction.execute(COUNT_WARNINGS, [
    rows.map(({ sourceId }) => sourceId),
    rows.map(({ reason }) => reason),
    rows.map(({ field }) => field),
    rows.map(({ records }) => records),
  ]);
}
