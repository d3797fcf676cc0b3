import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey, isValidApiKey } from '@milepost/operations/keys';
import type { Pool } from '@milepost/postgres';
import { recordedCommand } from '../operator.ts';

/**
 * An API key for the sample fleet. The database keeps only a hash, so the key itself lies in the Milepost home, readable
 * by its owner alone, to be shown again at the next start; one that was revoked is replaced.
 */
export async function sampleKey(pool: Pool, home: string, fleetId: string): Promise<string> {
  const file = join(home, 'sample-key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await isValidApiKey(pool, kept, fleetId))) return kept;
  const { key } = await recordedCommand(pool, 'keys.create', { fleet_id: fleetId }, () => createApiKey(pool, fleetId));
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return key;
}
