import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/**
 * Copies what a new user has: the repository's current files, without anything that was built or installed. Returns the
 * files.
 */
export function checkOut(target: string): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT });
  // Git lists a deleted file until its deletion is committed.
  const present = files
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)));
  for (const file of present) cpSync(join(ROOT, file), join(target, file), { preserveTimestamps: true });
  return present;
}
