import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { maxOpenFiles } from '@milepost/http/open-files';
import { type Finding, judge } from './check.ts';

/** The API accepts 10,000 connections, or fewer if it is not allowed to open that many files. */
const WANTED_FILES = 10_240;
const MIN_FILES = 256;
/** This is enough space for a few days of a small fleet. */
const MIN_FREE_BYTES = 1024 ** 3;
/** The clocks of PostgreSQL and the processes determine when leases expire and when a trip appears. */
const MAX_CLOCK_SECONDS = 2;

/** Judges how many files a process may open; null if the system does not report the limit. Exported for tests. */
export function checkFiles(files: number | null): Finding {
  const check = 'open files';
  if (files === null) return { check, result: 'skipped', message: 'This system does not report the limit.' };
  if (files >= WANTED_FILES) return { check, result: 'passed', message: `A process may open ${files} files.` };
  const result = files < MIN_FILES ? 'failed' : 'warning';
  const message = `A process may open ${files} files: raise the limit to ${WANTED_FILES} (ulimit -n, or LimitNOFILE in systemd), so that the API accepts 10000 connections.`;
  return { check, result, message };
}

/** Returns how many bytes are free on the file system that contains a folder or its closest existing parent. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return await freeBytes(dirname(folder));
  }
}

async function checkDisk(folder: string): Promise<Finding> {
  const bytes = await freeBytes(folder);
  const message = `${folder} has ${(bytes / 1e9).toFixed(1)} GB of free space`;
  const fault = `${message}: free more space, or set MILEPOST_HOME to another folder.`;
  return judge('disk', bytes >= MIN_FREE_BYTES, `${message}.`, fault);
}

/**
 * Checks this machine's limit on open files, and its disk if it has an embedded database.
 *
 * @param home the folder of the embedded database; null when the database is on an external server
 */
export async function checkMachine(home: string | null): Promise<Finding[]> {
  return [checkFiles(maxOpenFiles()), ...(home === null ? [] : [await checkDisk(home)])];
}

/**
 * Compares this machine's clock with a server's clock.
 *
 * @param serverTime the server's time halfway through the request, in epoch milliseconds
 */
export function checkClock(serverTime: number, localTime: number): Finding {
  const seconds = Math.abs(serverTime - localTime) / 1000;
  const message = `The clocks of this machine and PostgreSQL differ by ${seconds.toFixed(1)} s`;
  return judge('clock', seconds <= MAX_CLOCK_SECONDS, `${message}.`, `${message}: synchronize both with NTP.`);
}
