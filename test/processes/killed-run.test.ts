import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT, start } from '../support/milepost.ts';
import { needs } from '../support/programs.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(ROOT, 'test/support/killed-run/vitest.config.ts');

/** Returns the ids and parents of all running processes. A zombie does not count as running. */
function running(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}

/** Returns the ids of the processes and of all processes that they have started. */
function withDescendants(ancestors: number[]): Set<number> {
  const processes = running();
  const found = new Set(ancestors);
  // Iterating over a set includes elements that are added in the meantime.
  for (const each of found) for (const { pid, parent } of processes) if (parent === each) found.add(pid);
  return found;
}

it.each(['SIGTERM', 'SIGKILL'] as const)(
  "none of a test's processes and folders survives a run that is ended by %s",
  needs('ps'),
  async (signal) => {
    const run = start([process.execPath, VITEST, 'run', '--config', CONFIG], {});
    onTestFinished(() => void run.kill('SIGKILL'));
    if (run.stdout === null) throw new Error('The run has no pipe for its output.');
    let started: string[] | null = null;
    const output: string[] = [];
    for await (const line of createInterface(run.stdout)) {
      output.push(line);
      started = /^started (\S+) (\d+)$/.exec(line);
      if (started !== null) break;
    }
    const [, home = '', postmaster = ''] = started ?? [];
    expect(home, output.join('\n')).not.toBe('');
    const processes = withDescendants([run.pid ?? 0, Number(postmaster)]);
    // These are the run, its worker, `up` with four processes, PostgreSQL, and the suspended process.
    expect(processes.size).toBeGreaterThan(9);
    run.kill(signal);
    await expect.poll(() => running().filter(({ pid }) => processes.has(pid))).toEqual([]);
    await expect.poll(async () => await stat(home).catch(() => null)).toBeNull();
  },
);
