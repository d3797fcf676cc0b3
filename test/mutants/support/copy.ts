import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOut, ROOT } from '../../support/readme/check-out.ts';
import { removeDirectory, temporaryDirectory } from '../../support/services/directory.ts';

/** The workspaces' scope. Links to workspaces are relative, so a copied link points to the copied sources. */
const WORKSPACES = '@milepost';
const BUILT_PAGES = 'apps/console/dist';

/** Links to the packages in a folder of dependencies. Does not share caches (hidden entries). */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from)) {
    if (entry === WORKSPACES) {
      await cp(join(from, entry), join(to, entry), { recursive: true, verbatimSymlinks: true });
    } else if (!entry.startsWith('.') || entry === '.bin') {
      await symlink(join(from, entry), join(to, entry));
    }
  }
}

/**
 * Copies the tracked files, as they are in the working tree, into a temporary folder with links to the dependencies.
 *
 * @returns the folder, and a function that removes it
 */
export async function copyRepository(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await temporaryDirectory('mutants');
  const files = checkOut(folder);
  // The built pages are copied too, and all files keep their times, because missing or outdated pages would be rebuilt.
  if (existsSync(join(ROOT, BUILT_PAGES))) {
    await cp(join(ROOT, BUILT_PAGES), join(folder, BUILT_PAGES), { recursive: true, preserveTimestamps: true });
  }
  const folders = files.filter((file) => /(^|\/)package\.json$/.test(file)).map(dirname);
  for (const modules of folders.map((each) => join(each, 'node_modules'))) {
    if (existsSync(join(ROOT, modules))) await linkPackages(join(ROOT, modules), join(folder, modules));
  }
  return { folder, remove: async () => await removeDirectory(folder) };
}
