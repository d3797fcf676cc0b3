import { readFile, rename, writeFile } from 'node:fs/promises';
import { isAlive } from './process.ts';

/** The last run of the server, with the port that restarts keep and the process that must stop the server. */
interface LastRun {
  port: number;
  ownerProcess: number;
}

export async function readLastRun(file: string): Promise<LastRun | null> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const [, port] = /"port":(\d+)/.exec(content) ?? [];
  const [, owner] = /"owner_process":(\d+)/.exec(content) ?? [];
  return port === undefined || owner === undefined ? null : { port: Number(port), ownerProcess: Number(owner) };
}

export async function writeLastRun(file: string, run: LastRun): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ port: run.port, owner_process: run.ownerProcess })}\n`);
  await rename(draft, file);
}

/**
 * Throws if the process that started the running server still exists, because otherwise two processes could stop it.
 */
export function assertVacant(run: LastRun | null, directory: string): void {
  if (run === null || !isAlive(run.ownerProcess)) return;
  throw new Error(
    `PostgreSQL under ${directory} is in use by process ${run.ownerProcess}: stop that process first, or choose another directory.`,
  );
}
