import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

/**
 * Creates a folder and its missing parents. Node's recursive mkdir would never return if an existing parent cannot
 * contain the folder and the file system reports this as ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
