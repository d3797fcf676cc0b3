/** The duration of the first `npm start`, and of later ones on existing data. About half a minute. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { environment, milepost, type Settings } from '../support/milepost.ts';
import { removeDirectory, temporaryDirectory } from '../support/services/directory.ts';
import { portSettings } from '../support/services/free-port.ts';
import { inRounds } from './support/figures.ts';
import { atMost, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const SECOND_STARTS = size(3, 1);
const MAX_SECONDS = 3;

/** Returns how many seconds `npm start` takes until it prints the example requests. Then stops the process. */
async function secondsToReady(settings: Settings): Promise<number> {
  const start = performance.now();
  const [program, ...words] = milepost(['up']);
  const child = spawn(program, words, { env: environment(settings), stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) if (line.includes('driver-aggregate/weekly')) break;
  const seconds = (performance.now() - start) / 1000;
  child.stdout.resume();
  child.kill('SIGINT');
  const [code] = await ended;
  if (code !== 0) throw new Error(`up exited with code ${code}.`);
  return seconds;
}

/** Returns the reference: how many seconds Node needs to start and exit. */
async function nodeSeconds(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  return (performance.now() - start) / 1000;
}

const home = await temporaryDirectory('home');
try {
  const settings = { ...(await portSettings('PORT', 'OPS_PORT')), MILEPOST_HOME: home, LOG_LEVEL: 'warn' };
  const first = await secondsToReady(settings);
  const [empty = [], starts = []] = await inRounds(SECOND_STARTS, [
    nodeSeconds,
    async () => await secondsToReady(settings),
  ]);
  const again = { work: 'npm start on existing data', unit: 's', milepost: starts };
  await report(
    [
      { work: 'first npm start, sample fleet visible', unit: 's', milepost: [first] },
      { ...again, goal: atMost(MAX_SECONDS) },
      { ...again, against: { name: 'an empty Node process', figures: empty } },
    ],
    { rounds: SECOND_STARTS },
    null,
  );
} finally {
  await removeDirectory(home);
}
