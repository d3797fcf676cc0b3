import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Login, loginUrl } from './logins.ts';

/** The name of the embedded server's superuser and of its database. */
export const EMBEDDED_NAME = 'milepost';
export const EMBEDDED_HOST = '127.0.0.1';

/** Returns the embedded server's folder in a Milepost home. */
export function embeddedDirectory(home: string): string {
  return resolve(home, 'postgres');
}

/** Returns the files of the embedded server in this directory. */
export function filesOf(directory: string) {
  const absolute = resolve(directory);
  const data = join(absolute, 'data');
  return {
    directory: absolute,
    data,
    settingsFile: join(data, 'postgresql.conf'),
    passwordFile: join(absolute, 'password'),
    logFile: join(absolute, 'postgres.log'),
  };
}

/** The files of one embedded server. */
export type Files = ReturnType<typeof filesOf>;

/** Returns the URL of the server on a port, with the superuser's password. */
export async function serverUrl({ passwordFile }: Pick<Files, 'passwordFile'>, port: number): Promise<string> {
  const password = (await readFile(passwordFile, 'utf8')).trim();
  return `postgresql://${EMBEDDED_NAME}:${password}@${EMBEDDED_HOST}:${port}/${EMBEDDED_NAME}`;
}

interface RunningServer {
  pid: number;
  /** NaN until the server has written its port. */
  port: number;
  /** Whether the server accepts connections, which it does not do during recovery. */
  isReady: boolean;
}

/**
 * Reads `postmaster.pid` in a data folder, which contains the process id in line 1, the port in line 4 and the status
 * in line 8. Returns null if there is no such file. After a crash, the file remains.
 * https://www.postgresql.org/docs/18/storage-file-layout.html
 */
export async function lockFile(data: string): Promise<RunningServer | null> {
  try {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), isReady: /^(ready|standby)/.test(lines[7] ?? '') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** A process in /proc/PID/stat, whose fields proc_pid_stat(5) lists. */
const STATUS_ON_LINUX = /^\d+ \((?<name>.*)\) (?<state>\S)(?: \S+){18} (?<startTime>\d+)/s;
/** A process in the output of ps(1). */
const STATUS_OF_PS = /^(?<state>\S+) +(?<startTime>(?:\S+ +){4}\S+) +(?<name>.*)/;

/**
 * Returns a process's state (`Z` for a zombie), name and start time; null if there is no such process. The start time
 * differs from that of a later process with the same id.
 */
export async function findProcess(pid: number) {
  const isLinux = process.platform === 'linux';
  // In some locales of macOS, `lstart` has four words instead of five, so without LC_ALL=C no process would be found.
  const words = ['LC_ALL=C', 'ps', '-o', 'stat=,lstart=,comm=', '-p', String(pid)];
  const read = isLinux
    ? readFile(`/proc/${pid}/stat`, 'utf8')
    : promisify(execFile)('env', words).then(({ stdout }) => stdout.trim());
  const { groups } = (isLinux ? STATUS_ON_LINUX : STATUS_OF_PS).exec(await read.catch(() => '')) ?? {};
  const { state = '', name = '', startTime = '' } = groups ?? {};
  return groups ? { state, name, startTime } : null;
}

/**
 * Returns the server running on a data folder, even if the server does not respond; null if none is running. After a
 * crash, the process id in the lock file may belong to any other program or to another PostgreSQL server. A PostgreSQL
 * server runs in its data folder, so the working directory is checked too. A zombie does not count.
 */
export async function runningServer(data: string): Promise<RunningServer | null> {
  const lock = await lockFile(data);
  if (lock === null) return null;
  const found = await findProcess(lock.pid);
  if (!found?.name.includes('postgres') || found.state.startsWith('Z')) return null;
  // Null on a system without /proc.
  const folder = await readlink(`/proc/${lock.pid}/cwd`).catch(() => null);
  return folder === null || folder === (await realpath(data)) ? lock : null;
}

/** Converts an operating-system error about our files to an error that names the directory. */
export function clearError(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new Error(`PostgreSQL cannot keep its files under ${directory}: ${error.message}.`, { cause: error });
}

/**
 * Returns the URL of the server running for `directory`, or null if none is running. A server in recovery refuses
 * connections with an error that says so. Rejects if this user cannot read the directory. Exported for tests.
 */
export async function findEmbeddedPostgres(directory: string): Promise<string | null> {
  const files = filesOf(directory);
  try {
    const server = await runningServer(files.data);
    return server !== null && server.port > 0 ? await serverUrl(files, server.port) : null;
  } catch (error) {
    throw clearError(error, directory);
  }
}

/**
 * Returns the configured URL of the database or, without one, the URL of the embedded server running for this home.
 *
 * @param login the login on the embedded server; `owner` has all privileges
 * @throws Error if there is neither
 */
export async function locateDatabase(
  options: { databaseUrl: string | undefined; home: string },
  login: Login | 'owner' = 'ops',
): Promise<string> {
  if (options.databaseUrl !== undefined) return options.databaseUrl;
  const url = await findEmbeddedPostgres(embeddedDirectory(options.home));
  if (url !== null) return login === 'owner' ? url : loginUrl(url, login);
  throw new Error(
    `Milepost is not running under ${resolve(options.home)}: start it with \`npm start\` or \`milepost up\`, or set DATABASE_URL.`,
  );
}
