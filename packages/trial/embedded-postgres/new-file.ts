import { randomUUID } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

interface NewFile {
  content: string;
  /** The permissions of the file, before the process's umask applies. */
  mode?: number;
  /** Called with the path of the complete file before it gets its final name, for example to change its owner. */
  prepare?: (draft: string) => Promise<void>;
}

/**
 * Creates a file together with its content, so nobody ever sees an incomplete file, even if this process is killed.
 *
 * @returns whether the file was created; an existing file stays unchanged
 */
export async function createFile(file: string, { content, mode = 0o666, prepare }: NewFile): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode });
    await prepare?.(draft);
    // link is atomic and never replaces a file.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
