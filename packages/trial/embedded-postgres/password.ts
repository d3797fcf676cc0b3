import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createFile } from './new-file.ts';
import { chownTo, type Place } from './place.ts';

/**
 * Returns the superuser's password. The first call creates it in `<directory>/password`, which only its owner can read.
 */
export async function ensurePassword(place: Place): Promise<string> {
  // Even if this process is killed here or another one starts, the stored password is never empty and always belongs to
  // the cluster.
  await createFile(place.passwordFile, {
    content: `${randomBytes(24).toString('hex')}\n`,
    mode: 0o600,
    prepare: async (draft) => await chownTo(place, draft),
  });
  return await readPassword(place.passwordFile);
}

export async function readPassword(passwordFile: string): Promise<string> {
  return (await readFile(passwordFile, 'utf8')).trim();
}
