import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { removeDirectory, temporaryDirectory } from '../services/directory.ts';
import { guardProcess } from '../services/guard.ts';

const STARTER = join(import.meta.dirname, './starter.ts');

/**
 * Creates a cluster and its password for tests to copy, because initdb takes most of a test's time. Returns the
 * cluster's directory.
 */
export async function createCluster(settings: Record<string, string>): Promise<string> {
  const directory = await temporaryDirectory('embedded');
  await (await startEmbeddedPostgres({ directory, settings })).stop();
  return directory;
}

/** Copies a file or a directory with its owner and modes. */
export async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

/** Removes the directory. If a server is running there without an owner, stops it first. */
export async function removeCluster(directory: string): Promise<void> {
  // A later run stops such a server by adopting it, so this function does the same.
  if ((await findEmbeddedPostgres(directory)) !== null) await (await startEmbeddedPostgres({ directory })).stop();
  await removeDirectory(directory);
}

/** Starts a server in a separate process. Returns the process and the lines that it prints. */
export function startElsewhere(directory: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const child = spawn(process.execPath, [STARTER, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  guardProcess(child);
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

/** Kills a process and waits until it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
