import { tripId } from '@milepost/domain/trip-id';
import { groupOf } from '@milepost/operations/groups';
import { namesInPath, type Operation } from '@milepost/operations/operation';
import { OPERATIONS } from '@milepost/operations/operations';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../apps/cli/client/client.ts';
import { openClient } from '../../../apps/cli/client/open-client.ts';
import { createProgram } from '../../../apps/cli/program.ts';
import { run } from '../../support/command.ts';
import { auditTrail, describeWithOps, TOKEN } from '../../support/ops.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';

const DRIVER = { fleet_id: 'acme', driver_id: 'driver-1' };
const NOBODY = { fleet_id: 'acme', driver_id: 'nobody' };

/**
 * The input of each operation that requires input. Read operations use existing ids, whereas changes use unknown ids if
 * possible.
 */
const INPUTS: Readonly<Record<string, Record<string, unknown>>> = {
  'replay.show': { id: 1 },
  'audit.show': { id: 1 },
  'dead-letters.show': { id: 1 },
  'trace.trip': { trip_id: tripId('acme', 'trip-1') },
  'trace.driver': { ...DRIVER, date: '2025-01-15' },
  'drivers.list': { fleet_id: 'acme' },
  'drivers.preview': DRIVER,
  'drivers.erase': { ...NOBODY, reason: 'a test' },
  'keys.create': { fleet_id: 'acme' },
  'keys.revoke': { id: 'key_unknown' },
  'dead-letters.retry': { ids: [4711] },
  'dead-letters.discard': { ids: [4711], note: 'a test' },
  'replay.rollback': { name: 'trips' },
  'replay.start': { projection: 'drivers' },
  'sources.accept': { topic: 'milepost.trips', partition: 0, from: 'beginning' },
  'positions.set-aside': { position: 4711, reason: 'a test' },
  'positions.put-back': { position: 4711 },
  'replay.throttle': { id: 4711, throttle: 'off' },
  'sessions.cancel': { pid: 2_147_483_647 },
  ...Object.fromEntries(
    ['pause', 'resume', 'cancel', 'drop', 'promote'].map((verb) => [`replay.${verb}`, { id: 4711 }]),
  ),
};

type Command = Awaited<ReturnType<typeof createProgram>>;

const READING = OPERATIONS.filter(({ change }) => !change);
const CHANGING = OPERATIONS.filter(({ change }) => change);

/** Removes values that change between two requests. */
const ages = (name: string, value: unknown) => (['lag_seconds', 'connections'].includes(name) ? 0 : value);

describeWithOps('an operation with one definition', (world) => {
  let here: Client;
  let there: Client;
  let server: string;

  beforeAll(async () => {
    const trip = tripProcessed();
    const trips = [trip, { ...trip, revision: 2 }, trip, { ...trip, revision: 2, distance_miles: 1 }];
    await deliverAndProject(world.pipeline, ['{broken', driverProfile(), ...trips], 'milepost.trips');
    await world.ask('/replays', { method: 'POST', body: { projection: 'trips' } });
    await world.pipeline.owner.query(
      `INSERT INTO audit (position, equal, seconds, report)
       VALUES (2, true, 0.5, '{"projection": null, "position": 2, "audited_at": "2025-01-15T08:00:00.000Z", "seconds": 0.5,
         "equal": true, "projections": [], "faults": []}')`,
    );
    server = await world.ops.listen({ host: '127.0.0.1', port: 0 });
    vi.stubEnv('DATABASE_URL', world.pipeline.url);
    vi.stubEnv('OPS_TOKEN', TOKEN);
    here = await openClient(undefined);
    there = await openClient(server);
  });
  afterAll(async () => await here?.[Symbol.asyncDispose]());

  const called = async (client: Client, operation: Operation, input = INPUTS[operation.name] ?? {}) =>
    await client.call(operation, input).then(
      ({ answer, status }) => ({ answer, status, sentence: '' }),
      (error: Error) => ({ answer: null, status: null, sentence: error.message }),
    );

  /** Sends the operation as a plain HTTP request. */
  const asked = async ({ name, method, path }: Operation) => {
    const input: Record<string, unknown> = { ...INPUTS[name] };
    let url = path;
    for (const each of namesInPath(path)) {
      url = url.replace(`:${each}`, encodeURIComponent(String(input[each])));
      delete input[each];
    }
    const body = Object.keys(input).length > 0 ? { body: input } : {};
    return await world.ask(url, { method, ...body });
  };

  it('has a route that is in the API reference', async () => {
    const { paths } = (await world.ask('/openapi.json')).json();
    for (const { name, method, path, shared, summary, input } of OPERATIONS) {
      const documented = path.replaceAll(/:(\w+)/g, '{$1}');
      const described = paths[documented]?.[method.toLowerCase()];
      expect(described, name).toMatchObject({ summary, tags: [groupOf({ name }).tag] });
      const parametersOf = (operation: { parameters?: { name: string }[] }) =>
        (operation.parameters ?? []).map(({ name }) => name);
      const parameters = parametersOf(described);
      const body = Object.keys(described.requestBody?.content['application/json'].schema.properties ?? {});
      expect([...parameters, ...body], name).toEqual(expect.arrayContaining(Object.keys(input.properties)));
      if (shared) continue;
      const inLane = paths[`/lanes/{lane}${documented}`][method.toLowerCase()];
      expect(parametersOf(inLane).sort(), name).toEqual(['lane', ...parameters].sort());
      expect(inLane, name).toMatchObject({
        summary: `${summary}, in a lane`,
        description: expect.any(String),
        responses: { 404: expect.anything() },
      });
    }
  });

  it.each(OPERATIONS)('($name) has a command whose help lists all its inputs', async ({ name, command, input }) => {
    const words = command ?? name.replaceAll('.', ' ');
    let found: Command | Command['commands'][number] | undefined = await createProgram(words.split(' '));
    for (const word of words.split(' ')) found = found?.commands.find((each) => each.name() === word);
    if (!found) throw new Error(`There is no command milepost ${words}.`);
    const help = found.helpInformation();
    expect(help).toContain('--server <url>');
    expect(found.description()).not.toBe('');
    // These inputs are exceptions: `limit` is `--limit`, `topic` and `partition` are TOPIC/PARTITION, and the command
    // sets `skip` itself.
    const derived = Object.keys(input.properties).filter(
      (each) => !['limit', 'skip', 'topic', 'partition'].includes(each),
    );
    expect(found.registeredArguments.length + found.options.length).toBeGreaterThanOrEqual(derived.length + 2);
  });

  it.each(READING)(
    '($name) has the same response in this process and on a server, and adds nothing to the audit trail',
    async (operation) => {
      const before = await auditTrail(world);
      const [own, remote] = [await called(here, operation), await called(there, operation)];
      expect(own.sentence).toBe('');
      expect(own.answer).not.toBeNull();
      expect(JSON.stringify(remote, ages)).toBe(JSON.stringify(own, ages));
      expect(await auditTrail(world)).toEqual(before);
    },
  );

  it.each(CHANGING)(
    '($name) is recorded in the audit trail, whether it is called in this process or over HTTP',
    async (operation) => {
      const newest = async () => (await auditTrail(world))[0];
      const parameters =
        operation.change === 'personal' ? expect.not.objectContaining(NOBODY) : (INPUTS[operation.name] ?? {});
      for (const [client, via] of [
        [here, 'cli'],
        [there, 'http'],
      ] as const) {
        const { sentence } = await called(client, operation);
        const outcome = sentence === '' ? 'done' : 'refused';
        expect(await newest()).toMatchObject({ action: operation.name, via, parameters, outcome });
      }
    },
  );

  describe('is refused', () => {
    const unknown = { 'replay.show': 4711, 'audit.show': 4711, 'dead-letters.show': 4711 };

    it.each(OPERATIONS.filter(({ refusals = [] }) => refusals.length > 0))(
      'with the same error sentence in this process and on a server, and with structured data over HTTP: $name',
      async (operation) => {
        const input = operation.name in unknown ? { id: 4711 } : INPUTS[operation.name];
        const [own, remote] = [await called(here, operation, input), await called(there, operation, input)];
        const answer = await asked(operation);
        const { detail, code, refusal, next } = answer.statusCode === 204 ? {} : answer.json();
        if (operation.refusals?.includes(code)) {
          expect(detail).not.toMatch(/milepost |`(GET|POST|PUT|DELETE) /);
          expect(refusal.code).toBe(code);
          for (const each of next) expect(OPERATIONS.map(({ name }) => name)).toContain(each.operation);
        }
        expect(remote.sentence).toBe(own.sentence);
      },
    );

    it('with suggested commands on a terminal, and with suggested operations over HTTP', async () => {
      const words = ['replay', 'pause', '4711'];
      const settings = { DATABASE_URL: world.pipeline.url, OPS_TOKEN: TOKEN };
      const own = await run(words, settings);
      const remote = await run([...words, '--server', server], { OPS_TOKEN: TOKEN });
      const stderr = 'milepost: There is no replay 4711. Try `milepost replay list`.\n';
      expect(own).toEqual({ code: 1, stdout: '', stderr });
      expect(remote).toEqual(own);
      const answer = await world.ask('/replays/4711/pause', { method: 'POST' });
      expect(answer.json()).toMatchObject({
        detail: 'There is no replay 4711.',
        refusal: { code: 'replay_not_found', id: 4711 },
        next: [{ operation: 'replay.list', input: {} }],
      });
    });
  });

  const settings = { OPS_TOKEN: TOKEN, MILEPOST_HOME: '/nonexistent' };

  it('runs on a server if the command names one, and then needs no local database', async () => {
    const created = await run(['keys', 'create', '--fleet', 'north', '--json', '--server', server], settings);
    expect(created).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: No record of fleet north'),
    });
    const listed = await run(['keys', 'list', '--json', '--server', server], settings);
    const { id } = JSON.parse(created.stdout);
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id, fleet_id: 'north' }));
    const refused = await run(['keys', 'list', '--server', server], { OPS_TOKEN: 'wrong' });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Authorization') });
  });

  it('obeys the options after a subcommand', async () => {
    for (const [words, kept] of [
      ['audit list --limit 1', [expect.objectContaining({ position: 2, equal: true })]],
      ['audit show 1', expect.objectContaining({ id: 1, position: 2 })],
    ] as const) {
      const found = await run([...words.split(' '), '--json', '--server', server], settings);
      expect(found).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(found.stdout)).toEqual(kept);
    }
  });
});
