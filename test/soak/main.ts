import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const KILLS = '1000';

const USAGE = [
  'npm run soak [-- OPTIONS]: kills ingest, projectors, workers during replays, moves of a fleet, PostgreSQL and the Kafka',
  'broker at random moments under load. Then it compares all records, read tables and answers with the model, and prints',
  'a report. The exit code is 1 unless all of them are equal.',
  '',
  `  --kills NUMBER  the number of kills (default: ${KILLS}); 100 kills take about three minutes`,
  '  --seed NUMBER   the seed of the kills and the records (default: a random one, which is printed)',
].join('\n');

function readOptions() {
  const options = {
    kills: { type: 'string', default: KILLS },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArgs({ options });
  for (const name of ['kills', 'seed'] as const) {
    if (values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
      throw new Error(`--${name} must be a whole number.`);
  }
  return values;
}

async function runSoak(kills: string, seed: string | undefined): Promise<number> {
  const words = ['run', '--project', 'nightly', '--reporter', 'dot', 'test/nightly/soak.test.ts'];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: ROOT,
    env: {
      ...process.env,
      REQUIRE_SERVICES: '1',
      SOAK_KILLS: kills,
      ...(seed === undefined ? {} : { SOAK_SEED: seed }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? 0 : 1;
}

try {
  const { kills, seed, help } = readOptions();
  if (help) console.log(USAGE);
  else process.exitCode = await runSoak(kills, seed);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
