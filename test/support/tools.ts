import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execute } from './execute.ts';
import { ROOT } from './milepost.ts';
import { cachedFolder } from './services/cached-folder.ts';

const TOOLS = join(ROOT, 'test/tools');

/**
 * Returns the folder in which the packages in `test/tools` are installed. The first call for a lock file installs them,
 * which takes half a minute.
 */
export async function toolsFolder(): Promise<string> {
  const lock = await readFile(join(TOOLS, 'package-lock.json'));
  return await cachedFolder(`tools-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`, async (draft) => {
    process.stderr.write('Installing the packages in test/tools with npm. This happens only once.\n');
    await cp(TOOLS, draft, { recursive: true });
    await execute('npm', ['ci', '--ignore-scripts'], { cwd: draft });
  });
}

/** Imports a package from `test/tools`. The caller declares the types of the parts that it uses. */
export async function importTool<Module>(name: string): Promise<Module> {
  const file = createRequire(join(await toolsFolder(), 'package.json')).resolve(name);
  return await import(file);
}
