import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey, isValidApiKey } from '@milepost/operations/keys';
import type { Pool } from '@milepost/postgres';
import { recorded } from '../operator.ts';

const TOKEN = /^mo_[A-Za-z0-9_-]{43}$/;

/** Returns the secret in a file that only its owner can read. If the file contains no usable secret, creates one. */
async function storedSecret(
  file: string,
  isUsable: (stored: string) => Promise<boolean>,
  create: () => Promise<string>,
): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored !== '' && (await isUsable(stored))) return stored;
  const secret = await create();
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}

/** Returns the operators' token of this home: `mo_` and 256 random bits as base64url. The first start creates it. */
export async function opsToken(home: string): Promise<string> {
  const create = async () => `mo_${randomBytes(32).toString('base64url')}`;
  return await storedSecret(join(home, 'ops-token'), async (stored) => TOKEN.test(stored), create);
}

/** Returns a valid API key for the sample fleet: the one in `home`, or a new one. The database stores only its hash. */
export async function sampleKey(directory: Pool, home: string, fleetId: string): Promise<string> {
  const isUsable = async (stored: string) => await isValidApiKey(directory, stored, fleetId);
  return await storedSecret(join(home, 'sample-key'), isUsable, async () => {
    const create = async () => await createApiKey(directory, fleetId);
    return (await recorded(directory, { action: 'keys.create', parameters: { fleet_id: fleetId } }, create)).key;
  });
}
