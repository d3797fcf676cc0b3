import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '../../execute.ts';
import { cachedFolder } from '../cached-folder.ts';

/**
 * Downloads Debian 13 packages with apt and unpacks them into their own folder without installing anything. Later calls
 * with the same name use this folder.
 *
 * @returns the folder that contains the packages' files
 */
export async function unpackDebian13(name: string, packages: readonly string[]): Promise<string> {
  return join(await cachedFolder(`${name}-trixie`, async (draft) => await unpack(draft, packages)), 'root');
}

async function unpack(draft: string, names: readonly string[]): Promise<void> {
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'root', 'packages']) {
    await mkdir(join(draft, folder), { recursive: true });
  }
  const sources = join(draft, 'sources.list');
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  await writeFile(sources, `deb [signed-by=${keyring}] http://deb.debian.org/debian trixie main\n`);
  await writeFile(join(draft, 'state/status'), '');
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::State': join(draft, 'state'),
    'Dir::State::status': join(draft, 'state/status'),
    'Dir::Cache': join(draft, 'cache'),
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const packages = join(draft, 'packages');
  await execute('apt-get', [...options, '-qq', 'update'], { cwd: packages });
  await execute('apt-get', [...options, '-qq', 'download', ...names], { cwd: packages });
  for (const file of await readdir(packages)) {
    await execute('dpkg', ['-x', join(packages, file), join(draft, 'root')]);
  }
  await rm(join(draft, 'state'), { recursive: true });
}
