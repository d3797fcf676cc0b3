import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Account } from './command.ts';

export const SUPERUSER = 'milepost';
export const DATABASE = 'milepost';
export const HOST = '127.0.0.1';

/** Returns the files of the server in this directory. */
export function filesOf(directory: string) {
  const absolute = resolve(directory);
  const data = join(absolute, 'data');
  return {
    directory: absolute,
    data,
    settingsFile: join(data, 'postgresql.conf'),
    passwordFile: join(absolute, 'password'),
    logFile: join(absolute, 'postgres.log'),
  };
}

/** The files of one embedded server. */
export type Files = ReturnType<typeof filesOf>;

/** Returns the URL of the server on a port, with the superuser's password. */
export async function serverUrl({ passwordFile }: Pick<Files, 'passwordFile'>, port: number): Promise<string> {
  const password = (await readFile(passwordFile, 'utf8')).trim();
  return `postgresql://${SUPERUSER}:${password}@${HOST}:${port}/${DATABASE}`;
}

/** Gives a file of this process to the account that PostgreSQL runs as, if it is another account. */
export async function chownTo(path: string, account: Account | null): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

/** Writes or replaces a file that only its owner can read. The file is never incomplete. */
export async function replaceFile(file: string, content: string, account: Account | null): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, content, { mode: 0o600 });
  await chownTo(draft, account);
  await rename(draft, file);
}

/** Converts an operating-system error about our files to an error that names the directory. */
export function clearError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new Error(`PostgreSQL cannot keep its files under ${directory}: ${error.message}.`, { cause: error });
}
