import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { handOver, type Place } from './place.ts';

/** The superuser's password, made at the first call and kept in `<directory>/password`, readable by its owner alone. */
export async function ensurePassword(place: Place): Promise<string> {
  const draft = `${place.passwordFile}.${process.pid}`;
  await writeFile(draft, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  try {
    await handOver(place, draft);
    // A link appears whole and never replaces: neither a kill here nor a second starter can leave a password that is
    // empty or not the cluster's.
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
