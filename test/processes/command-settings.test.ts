import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimSource } from '@milepost/event-log';
import { GROUPS } from '@milepost/operations/groups';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { beforeAll, expect, it } from 'vitest';
import { SETTINGS } from '../../packages/platform/service/settings.ts';
import { run } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { perSuite } from '../support/fixtures.ts';
import { ended, milepost, start } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** Prints to stderr the names of all environment variables that a program reads. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  const names = new Set();
  process.env = new Proxy({ ...process.env }, {
    get(target, name) {
      names.add(String(name));
      return target[name];
    },
    // The check for misspelt names lists all names without reading their values.
    ownKeys: () => [],
  });
  process.on('exit', () => process.stderr.write('read: ' + [...names].join(' ') + '\\n'));`)}`;

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

describeWithPostgres('the help on settings', () => {
  const database = perSuite(createTestDatabase);
  beforeAll(async () => {
    const projector = openPool(database.url, ROLES.projector);
    await prepareGenerations(projector, PROJECTIONS);
    await projector.end();
    // Because the log has a source, commands ask Kafka for the end offsets.
    const ingest = openPool(database.url, ROLES.ingest);
    await claimSource(ingest, 'milepost.trips', 0);
    await ingest.end();
  });

  /** Returns which settings a command reads. */
  async function readBy(...words: string[]): Promise<string[]> {
    const [node, ...others] = milepost(words);
    const settings = { DATABASE_URL: database.url, ...KAFKA };
    const { stderr } = await ended(start([node, '--import', PROBE, ...others], settings));
    const [, names = ''] = /^read: (.*)$/m.exec(stderr) ?? [];
    const read = new Set(names.split(' '));
    return Object.keys(SETTINGS)
      .filter((name) => read.has(name))
      .sort();
  }

  it.each(COMMANDS.map((words) => [words.slice(0, 2).join(' '), words]))(
    'of %s lists exactly the settings that the command reads',
    async (_, words) => {
      const command = words.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).slice(0, 2);
      const { stdout } = await run([...command, '--help'], {});
      const [, named = ''] = /\nSettings \(see docs\/settings\.md\):\n([^;]+?)(?:;|\n\n|\n$)/.exec(stdout) ?? [];
      expect(named.match(/[A-Z_]{3,}/g)?.sort()).toEqual(await readBy(...words));
    },
  );

  it('covers every group of operations, and only --server reads the token', async () => {
    expect(COMMANDS.map(([group]) => group)).toEqual(expect.arrayContaining(Object.keys(GROUPS)));
    expect(await readBy('status', '--server', 'http://127.0.0.1:1')).toEqual(['OPS_TOKEN']);
  });
});
