import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimSource } from '@milepost/event-log';
import { ROOMS } from '@milepost/operations/rooms';
import { ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTINGS } from '../../packages/service/settings.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { ended, milepost, start } from './milepost.ts';

/** Writes the names of all variables of the environment that a program reads to stderr. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  const names = new Set();
  process.env = new Proxy({ ...process.env }, {
    get(target, name) {
      names.add(String(name));
      return target[name];
    },
    // All names are looked at for misspelt ones: that is no reading.
    ownKeys: () => [],
  });
  process.on('exit', () => process.stderr.write('read: ' + [...names].join(' ') + '\\n'));`)}`;

const FILE = join(tmpdir(), 'never-written.ndjson.zst');
/** No broker is there: the settings are read all the same. */
const KAFKA = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_SASL_USERNAME: 'a', KAFKA_SASL_PASSWORD: 'b' };

/** The command of each room of operators' actions that reads all that the room's actions read, and those of archives. */
const COMMANDS = [
  ['status'],
  ['projections', 'list'],
  ['replay', 'start', 'trips'],
  ['audit'],
  ['dead-letters', 'list'],
  ['sources', 'accept', 'milepost.trips/0', '--from', 'beginning'],
  ['trace', 'trip', '0123456789abcdef0123456789abcdef'],
  ['drivers', 'erase', '--fleet', 'acme', '--driver', 'nobody', '--reason', 'a test'],
  ['retention'],
  ['keys', 'list'],
  ['operations', 'list'],
  ['archive', 'export', FILE, '--from', '2'],
  ['archive', 'verify', FILE],
];

describeWithPostgres('the help on settings of', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const projector = openPool(database.url, ROLES.projector);
    await prepareGenerations(projector, PROJECTIONS);
    await projector.end();
    // Kafka is asked where the topics end that were read.
    const ingest = openPool(database.url, ROLES.ingest);
    await claimSource(ingest, 'milepost.trips', 0);
    await ingest.end();
  });
  afterAll(async () => await database?.drop());

  /** The settings that a command line reads. */
  async function readBy(...words: string[]): Promise<string[]> {
    const [node, ...others] = milepost(words);
    const settings = { DATABASE_URL: database.url, ...KAFKA };
    const { stderr } = await ended(start([node, '--import', PROBE, ...others], settings));
    const [, names = ''] = /^read: (.*)$/m.exec(stderr) ?? [];
    const read = new Set(names.split(' '));
    return SETTINGS.filter((name) => read.has(name)).sort();
  }

  it.each(COMMANDS.map((words) => [words.slice(0, 2).join(' '), words]))('%s names what it reads', async (_, words) => {
    const command = words.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).slice(0, 2);
    const { stdout } = await ended(start(milepost([...command, '--help']), {}));
    const [, named = ''] = /\nSettings, which docs\/settings\.md explains:\n([^;]+?)(?:;|\n\n|\n$)/.exec(stdout) ?? [];
    expect(named.match(/[A-Z_]{3,}/g)?.sort()).toEqual(await readBy(...words));
  });

  it('every room of operators is looked at, and reads the token with --server alone', async () => {
    expect(COMMANDS.map(([room]) => room)).toEqual(expect.arrayContaining(Object.keys(ROOMS)));
    expect(await readBy('status', '--server', 'http://127.0.0.1:1')).toEqual(['OPS_TOKEN']);
  });
});
