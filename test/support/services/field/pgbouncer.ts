import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresAccount } from '../../../../packages/trial/embedded-postgres/account.ts';
import { execute } from '../../execute.ts';
import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import { startServerProcess } from '../local/process.ts';
import { unpackDebian13 } from './debian.ts';

/** Earlier releases do not support prepared statements in transaction mode. */
const MIN_VERSION = 1.21;
/** Debian 13's package and the libraries that it loads. Debian 12's package is too old. */
const PACKAGES =
  'pgbouncer libc6 libevent-2.1-7t64 libcares2 libssl3t64 libsystemd0 libpam0g zlib1g libzstd1 libaudit1 libcap-ng0 libgcc-s1 libcap2 libcrypt1';

async function debianCommand(): Promise<[string, ...string[]]> {
  const root = join(await unpackDebian13('pgbouncer', PACKAGES.split(' ')), 'usr');
  const loader = join(root, 'lib64/ld-linux-x86-64.so.2');
  return [loader, '--library-path', join(root, 'lib/x86_64-linux-gnu'), join(root, 'sbin/pgbouncer')];
}

async function versionOf([program, ...words]: [string, ...string[]]): Promise<string> {
  const { stdout } = await execute(program, [...words, '--version']);
  return /PgBouncer (\S+)/.exec(stdout)?.[1] ?? '';
}

/**
 * Returns a command that runs PgBouncer 1.21 or later: this machine's or Debian 13's. If there is none, rejects with
 * the reason.
 */
export async function pgbouncerCommand(): Promise<{ command: [string, ...string[]]; version: string }> {
  const own = await versionOf(['pgbouncer']).catch(() => '');
  if (Number.parseFloat(own) >= MIN_VERSION) return { command: ['pgbouncer'], version: own };
  const command = await debianCommand();
  return { command, version: await versionOf(command) };
}

interface PgBouncerOptions {
  /** The URL of the server behind PgBouncer. */
  url: string;
  mode: 'session' | 'transaction';
  /** The password of each user that is allowed to connect. */
  users: Record<string, string>;
  /** Additional settings for pgbouncer.ini. */
  settings?: Record<string, string>;
}

/** Starts PgBouncer in front of a server and returns its port. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<{ port: number; stop: () => Promise<void> }> {
  const { command } = await pgbouncerCommand();
  const [port = 0] = await freePorts(1);
  const { stop } = await startInDirectory('pgbouncer', async (directory) => {
    const { hostname, port: serverPort } = new URL(options.url);
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: join(directory, 'users.txt'),
      pool_mode: options.mode,
      max_client_conn: 500,
      default_pool_size: 60,
      ...options.settings,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    const databases = `[databases]\n* = host=${hostname} port=${serverPort}\n\n[pgbouncer]\n`;
    const file = join(directory, 'pgbouncer.ini');
    await writeFile(file, `${databases}${lines.join('')}`);
    const users = Object.entries(options.users).map(([name, password]) => `"${name}" "${password}"\n`);
    await writeFile(join(directory, 'users.txt'), users.join(''));
    // PgBouncer refuses to run as root.
    const account = await postgresAccount(directory);
    if (account) for (const each of [directory, file]) await chown(each, account.uid, account.gid);
    const drop: string[] = account
      ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
      : [];
    const [program = '', ...words] = [...drop, ...command, file];
    return await startServerProcess(program, words, /process up/, directory);
  });
  return { port, stop };
}
