import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { chownTo, type Place } from './place.ts';

/**
 * Returns the superuser's password. The first call creates it in `<directory>/password`, which only its owner can read.
 */
export async function ensurePassword(place: Place): Promise<string> {
  const draft = `${place.passwordFile}.${process.pid}`;
  await writeFile(draft, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  try {
    await chownTo(place, draft);
    // link is atomic and never replaces a file. So the stored password is never empty and always the cluster's, even if
    // this process is killed here or another one starts.
    await link(draft, place.passwordFile);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readPassword(place.passwordFile);
}

export async function readPassword(passwordFile: string): Promise<string> {
  return (await readFile(passwordFile, 'utf8')).trim();
}
