import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey, isValidApiKey } from '@milepost/operations/keys';
import type { Pool } from '@milepost/postgres';
import { recordedCommand } from '../operator.ts';

const TOKEN = /^mo_[A-Za-z0-9_-]{43}$/;

/** A secret that lies in a file, readable by its owner alone, so that it stays the same from start to start. */
async function keptSecret(
  file: string,
  isUsable: (kept: string) => Promise<boolean>,
  make: () => Promise<string>,
): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await isUsable(kept))) return kept;
  const secret = await make();
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}

/** The operators' token of this Milepost home, made at its first start: `mo_` and 256 random bits as base64url. */
export async function opsToken(home: string): Promise<string> {
  const make = async () => `mo_${randomBytes(32).toString('base64url')}`;
  return await keptSecret(join(home, 'ops-token'), async (kept) => TOKEN.test(kept), make);
}

/** An API key for the sample fleet, of which the database keeps only a hash; one that was revoked is replaced. */
export async function sampleKey(pool: Pool, home: string, fleetId: string): Promise<string> {
  const isUsable = async (kept: string) => await isValidApiKey(pool, kept, fleetId);
  return await keptSecret(join(home, 'sample-key'), isUsable, async () => {
    const create = async () => await createApiKey(pool, fleetId);
    return (await recordedCommand(pool, 'keys.create', { fleet_id: fleetId }, create)).key;
  });
}
