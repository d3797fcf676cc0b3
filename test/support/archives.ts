import { readFile } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Pool } from '@milepost/postgres';

/** For every stored event, in order, returns the data that an archive or a copy must preserve. */
export async function logContents(owner: Pool) {
  const { rows } = await owner.query<{
    event: { supersedes: number | null; effective: boolean };
    trail_path: Buffer;
    trip_events: Buffer;
  }>(
    `SELECT to_jsonb(event) - '{source_id,source_offset,stored_at}'::text[] AS event, body.trail_path, body.trip_events
     FROM stored_event event LEFT JOIN trip_body body USING (position) ORDER BY position`,
  );
  return rows;
}

/** Returns the lines of an archive. */
export async function archiveLines(file: string): Promise<string[]> {
  const text = zstdDecompressSync(await readFile(file)).toString();
  return text.trimEnd().split('\n');
}

/** Returns the bytes of an archive with these lines. */
export function archiveOf(lines: readonly string[]): Buffer {
  return zstdCompressSync(lines.map((line) => `${line}\n`).join(''));
}
