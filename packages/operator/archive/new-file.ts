import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Throws when the file exists, because it must not be overwritten, or when its folder does not exist. */
export async function assertCreatable(file: string): Promise<void> {
  const found = async (path: string) => await stat(path).catch(() => null);
  const folder = dirname(file);
  if (!(await found(folder))?.isDirectory())
    throw new Error(`The folder ${folder} does not exist: create it first, or name another folder.`);
  if (await found(file)) throw new Error(`${file} already exists: name another file, or move this one away first.`);
}

/** Syncs the folder, so that the new name survives a power failure. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Writes chunks to a new file. The file is written and synced under a temporary name and then renamed, so it is never
 * incomplete. After an abort or an error, the temporary file is removed.
 *
 * @param transform compresses the chunks; by default, they are written unchanged
 * @throws when the file exists, or when its folder does not exist
 */
export async function writeNewFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
  transform: Transform = new PassThrough(),
): Promise<void> {
  // The name is random, because process ids are not unique across containers. If it contained a process id, a process
  // could remove another process's draft after an error.
  const draft = `${file}.${randomUUID()}.partial`;
  try {
    // `flush` syncs the bytes before the stream closes, because the name must never refer to bytes that could still be
    // lost in a power failure.
    await pipeline(Readable.from(chunks), transform, createWriteStream(draft, { flags: 'wx', flush: true }), {
      signal,
    });
    await assertCreatable(file);
    await rename(draft, file);
    await syncFolder(file);
  } catch (error) {
    await rm(draft, { force: true });
    throw signal.aborted ? signal.reason : error;
  }
}
