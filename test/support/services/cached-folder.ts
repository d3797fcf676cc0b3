import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../.test-services');

/**
 * Returns a folder in `.test-services/`. The first call fills the folder under a temporary name, so that an interrupted
 * installation does not look complete.
 */
export async function cachedFolder(name: string, fill: (draft: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, name);
  const isThere = async () => (await stat(folder).catch(() => null)) !== null;
  if (await isThere()) return folder;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    await chmod(draft, 0o755);
    await fill(draft);
    await rename(draft, folder).catch(async (error: unknown) => {
      // In the meantime, another worker may have filled the folder.
      if (!(await isThere())) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
