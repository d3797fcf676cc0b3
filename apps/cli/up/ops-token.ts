import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const TOKEN = /^mo_[A-Za-z0-9_-]{43}$/;

/**
 * The operators' token of this Milepost home, made at its first start: `mo_` and 256 random bits as base64url. It lies in
 * the home, readable by its owner alone, so that it stays the same from start to start.
 */
export async function opsToken(home: string): Promise<string> {
  const file = join(home, 'ops-token');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (TOKEN.test(kept)) return kept;
  const token = `mo_${randomBytes(32).toString('base64url')}`;
  await writeFile(`${file}.new`, `${token}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return token;
}
