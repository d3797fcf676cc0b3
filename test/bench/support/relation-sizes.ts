import type { Pool } from 'pg';

/** Returns how many bytes every table, TOAST table and index has, the largest first. */
export async function readSizes(database: Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await database.query<{ name: string; bytes: number }>(
    `SELECT concat(main.relname, CASE WHEN part.oid <> main.oid THEN concat(' ', part.relname) END) AS name,
       pg_relation_size(part.oid, 'main')::float8 + pg_relation_size(part.oid, 'fsm') + pg_relation_size(part.oid, 'vm') AS bytes
     FROM pg_class main JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN LATERAL (
       SELECT main.oid UNION ALL SELECT main.reltoastrelid WHERE main.reltoastrelid <> 0
       UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid IN (main.oid, main.reltoastrelid)) piece ON true
     JOIN pg_class part ON part.oid = piece.oid
     WHERE nspname = current_schema() AND main.relkind = 'r' AND pg_relation_size(part.oid) > 0
     ORDER BY bytes DESC`,
  );
  return rows;
}
