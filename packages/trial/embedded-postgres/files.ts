import { chown, rename, writeFile } from 'node:fs/promises';
import type { Account } from './command.ts';

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
