import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

/**
 * Makes a folder and those above it that are missing. Node's own recursive mkdir never ends where the file system says
 * "not there" of a folder that cannot be made in one that is (/proc does).
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
