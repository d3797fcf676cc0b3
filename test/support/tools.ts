import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './milepost.ts';

const TOOLS = join(ROOT, 'test/tools');
const CACHE = join(ROOT, '.test-services');

/**
 * Returns the folder in which the packages in `test/tools` are installed. The first call for a lock file installs them,
 * which takes half a minute.
 */
export async function toolsFolder(): Promise<string> {
  const lock = await readFile(join(TOOLS, 'package-lock.json'));
  const folder = join(CACHE, `tools-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  const isThere = async () => (await stat(folder).catch(() => null)) !== null;
  if (await isThere()) return folder;
  process.stderr.write('Installing the packages in test/tools with npm. This happens only once.\n');
  await mkdir(CACHE, { recursive: true });
  // The packages are installed in a temporary directory, because an interrupted installation must not look complete.
  const draft = await mkdtemp(`${folder}.`);
  await cp(TOOLS, draft, { recursive: true });
  await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: draft });
  try {
    await rename(draft, folder);
  } catch (error) {
    // In the meantime, another worker has installed them.
    if (!(await isThere())) throw error;
    await rm(draft, { recursive: true });
  }
  return folder;
}

/** Imports a package from `test/tools`. The caller declares the types of the parts that it uses. */
export async function importTool<Module>(name: string): Promise<Module> {
  const file = createRequire(join(await toolsFolder(), 'package.json')).resolve(name);
  return await import(file);
}
