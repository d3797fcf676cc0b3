import { readArchivedRecord } from '@milepost/event-log';
import type { ArchiveRange } from './range.ts';

/** What a line says of its stored event's place in the log. */
export interface ArchivedPlace extends ArchiveRange {
  position: number;
  effective: boolean;
  supersedes: number | null;
}

/** A line read back. `contentHash` null: `refusal` says why ingest would not store it. */
export interface ArchivedLine {
  place: ArchivedPlace;
  contentHash: string | null;
  refusal: string | null;
}

const FIELD = '"milepost":';

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function readPlace(value: unknown): ArchivedPlace | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('position' in value && 'effective' in value && 'supersedes' in value && 'from' in value && 'through' in value))
    return null;
  const { position, effective, supersedes, from, through } = value;
  if (!isPosition(position) || !isPosition(from) || !isPosition(through)) return null;
  if (typeof effective !== 'boolean' || (supersedes !== null && !isPosition(supersedes))) return null;
  return { position, effective, supersedes, from, through };
}

/** The field is the last of its line and its quotes cannot stand in a string, so the 26 kB before it need no second parsing. */
function placeOf(line: Buffer): ArchivedPlace | null {
  const start = line.lastIndexOf(FIELD);
  if (start < 0) return null;
  try {
    return readPlace(JSON.parse(`{${line.toString('utf8', start)}`).milepost);
  } catch {
    return null;
  }
}

/** Reads a line as ingest would. Null: it does not say where it belongs. */
export function readArchivedLine(line: Buffer, now: number): ArchivedLine | null {
  const place = placeOf(line);
  if (place === null) return null;
  const prepared = readArchivedRecord(line, now);
  if (!prepared.storable) return { place, contentHash: null, refusal: prepared.refusal.message };
  return { place, contentHash: prepared.draft.contentHash, refusal: null };
}
