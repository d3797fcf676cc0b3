/** `npm start`: the first one, and those on existing data. About half a minute. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../support/services/free-port.ts';
import { report } from './support/results.ts';
import { size } from './support/sizes.ts';

const COMMAND = resolve(import.meta.dirname, '../../apps/cli/main.ts');
const SECOND_STARTS = size(3, 1);
const MAX_SECONDS = 3;

/** Returns how many seconds the command takes until it prints the example requests. Stops the process afterwards. */
async function secondsToReady(home: string, port: number, opsPort: number): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'up'], {
    env: { ...process.env, MILEPOST_HOME: home, PORT: String(port), OPS_PORT: String(opsPort), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) if (line.includes('driver-aggregate/weekly')) break;
  const seconds = (performance.now() - start) / 1000;
  child.stdout.resume();
  child.kill('SIGINT');
  const [code] = await ended;
  if (code !== 0) throw new Error(`up ended with exit code ${code}.`);
  return seconds;
}

/** Returns the reference, which is how many seconds Node needs to start and exit. */
async function nodeSeconds(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  return (performance.now() - start) / 1000;
}

/**
 * Measures `npm start` after the installation, first with an empty home directory and the sample fleet, and then on
 * existing data.
 */
const home = await mkdtemp(join(tmpdir(), 'milepost-bench-start-'));
try {
  const [port = 0, opsPort = 0] = await freePorts(2);
  const first = await secondsToReady(home, port, opsPort);
  const starts: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < SECOND_STARTS; round += 1) {
    floors.push(await nodeSeconds());
    starts.push(await secondsToReady(home, port, opsPort));
  }
  const again = { work: 'npm start on existing data', unit: 's', milepost: starts };
  const against = { name: 'an empty Node process', figures: floors };
  await report(
    'start',
    [
      { work: 'first npm start, sample fleet visible', unit: 's', milepost: [first], against: null, goal: null },
      { ...again, against: null, goal: { is: 'at most', value: MAX_SECONDS } },
      { ...again, against, goal: null },
    ],
    { rounds: SECOND_STARTS },
    null,
  );
} finally {
  await rm(home, { recursive: true, force: true });
}
