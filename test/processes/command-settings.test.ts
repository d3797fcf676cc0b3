import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimSource } from '@milepost/event-log/sources';
import { GROUPS } from '@milepost/operations/groups';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { beforeAll, expect, it } from 'vitest';
import { SETTINGS } from '../../packages/platform/service/settings.ts';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { perSuite } from '../support/fixtures.ts';
import { ended, start } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** Runs commands, and prints to stderr the names of all environment variables that each of them reads. */
const PROBE = `
  import { runCommand } from './apps/cli/run.ts';
  const values = { ...process.env };
  for (const words of JSON.parse(process.argv[1])) {
    const names = new Set();
    process.env = new Proxy(values, {
      get(target, name) {
        names.add(String(name));
        return target[name];
      },
      // The check for misspelt names lists all names without reading their values.
      ownKeys: () => [],
    });
    await runCommand(words);
    process.stderr.write('read: ' + [...names].join(' ') + '\\n');
  }
  process.exit();`;

const FILE = join(tmpdir(), 'never-written.ndjson.zst');
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
/** No broker listens at this address, but commands read the settings anyway. */
const KAFKA = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_SASL_USERNAME: 'a', KAFKA_SASL_PASSWORD: 'b' };

/**
 * For each group of operations, one command that reads all of the group's settings; and the commands for archives and
 * exports.
 */
const COMMANDS = [
  ['status'],
  ['projections', 'list'],
  ['replay', 'start', 'trips'],
  ['audit'],
  ['dead-letters', 'list'],
  ['positions', 'list'],
  ['sessions', 'list'],
  ['sources', 'accept', 'milepost.trips/0', '--from', 'beginning'],
  ['trace', 'trip', '0123456789abcdef0123456789abcdef'],
  ['drivers', 'erase', '--fleet', 'acme', '--driver', 'nobody', '--reason', 'a test'],
  ['fleets', 'list'],
  ['lanes', 'list'],
  ['retention'],
  ['keys', 'list'],
  ['operations', 'list'],
  ['archive', 'export', FILE, '--from', '2'],
  ['archive', 'verify', FILE],
  ['export', 'days', '--fleet', 'nobody', '--from', YESTERDAY, '--to', YESTERDAY, '--format', 'csv'],
];

const ON_SERVER = ['status', '--server', 'http://127.0.0.1:1'];

describeWithPostgres('the help on settings', () => {
  const database = perSuite(createTestDatabase);
  /** The settings that each command reads. The last command is `ON_SERVER`. */
  let read: string[][];
  beforeAll(async () => {
    const projector = openPool(database.url, ROLES.projector);
    await prepareGenerations(projector, PROJECTIONS);
    await projector.end();
    // Because the log has a source, commands ask Kafka for the end offsets.
    const ingest = openPool(database.url, ROLES.ingest);
    await claimSource(ingest, 'milepost.trips', 0);
    await ingest.end();
    // One process runs all commands, because each process would take a second to start.
    const program = ['--input-type=module', '--eval', PROBE, JSON.stringify([...COMMANDS, ON_SERVER])];
    const settings = { DATABASE_URL: database.url, ...KAFKA };
    const { stderr } = await ended(start([process.execPath, ...program], settings));
    read = Array.from(stderr.matchAll(/^read: (.*)$/gm), ([, names = '']) =>
      names.split(' ').filter((name) => Object.hasOwn(SETTINGS, name)),
    );
  });

  it.each(COMMANDS.map((words, index) => [words.slice(0, 2).join(' '), words, index] as const))(
    'of %s lists exactly the settings that the command reads',
    async (_, words, index) => {
      const command = words.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).slice(0, 2);
      const { stdout } = await run([...command, '--help'], {});
      const [, named = ''] = /\nSettings \(see docs\/settings\.md\):\n([^;]+?)(?:;|\n\n|\n$)/.exec(stdout) ?? [];
      expect(named.match(/[A-Z_]{3,}/g)?.sort()).toEqual(read[index]?.toSorted());
    },
  );

  it('covers every group of operations, and only --server reads the token', () => {
    expect(COMMANDS.map(([group]) => group)).toEqual(expect.arrayContaining(Object.keys(GROUPS)));
    expect(read.at(-1)).toEqual(['OPS_TOKEN']);
  });
});
