import { RECORD_KINDS } from '@milepost/domain/record-schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentProperties } from '../../support/openapi.ts';
import { type OpsRequest, type OpsWorld, openOps, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const PATHS: [string, OpsRequest][] = [
  ['/status', {}],
  ['/events', {}],
  ['/operations', {}],
  ['/keys', {}],
  ['/keys', { method: 'POST', body: { fleet_id: 'acme' } }],
  ['/keys/key_1', { method: 'DELETE' }],
  ['/projections', {}],
  ['/projections/all/roll-back', { method: 'POST' }],
  ['/replays', {}],
  ['/replays', { method: 'POST', body: { projection: 'all' } }],
  ['/replays/1', {}],
  ...['pause', 'resume', 'cancel', 'drop', 'promote'].map((verb): [string, OpsRequest] => [
    `/replays/1/${verb}`,
    { method: 'POST' },
  ]),
  ['/replays/1/throttle', { method: 'PUT', body: { throttle: 'off' } }],
  ['/audits', {}],
  ['/audits', { method: 'POST' }],
  ['/audits/1', {}],
  ['/retention', { method: 'POST' }],
  ['/sources/milepost.trips/0/accept', { method: 'POST', body: { from: 0 } }],
  ['/dead-letters', {}],
  ['/dead-letters/summary', {}],
  ['/dead-letters/1', {}],
  ['/dead-letters/1/record', {}],
  ['/dead-letters/retry', { method: 'POST', body: { all_open: true } }],
  ['/dead-letters/discard', { method: 'POST', body: { all_open: true, note: 'x' } }],
  ['/trips/0123456789abcdef0123456789abcdef/trace', {}],
  ['/positions/set-aside', {}],
  ['/positions/1/set-aside', { method: 'POST', body: { reason: 'x' } }],
  ['/positions/1/put-back', { method: 'POST' }],
  ['/erasures', {}],
  ['/sessions', {}],
  ['/sessions/1/cancel', { method: 'POST' }],
  ['/fleets', {}],
  ['/fleets/lanes', {}],
  ['/lanes', {}],
  ['/drivers/acme', {}],
  ['/drivers/acme/driver-1/trace?date=2025-01-15', {}],
  ['/drivers/acme/driver-1/erasure', {}],
  ['/drivers/acme/driver-1/erasure', { method: 'POST', body: { reason: 'x' } }],
];
/** The paths about things that all lanes share. Every other path also exists with a lane. */
const SHARED = /^\/(?:lanes|keys|operations|fleets\/lanes)/;
const GUARDED = [
  ...PATHS,
  ...PATHS.filter(([path]) => !SHARED.test(path)).map(([path, request]): [string, OpsRequest] => [
    `/lanes/0${path}`,
    request,
  ]),
];
const SCHEMAS = RECORD_KINDS.map((kind) => `/schemas/${kind}`);
const OPEN = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/', ...SCHEMAS];

/** Returns the path in the OpenAPI document that describes a requested path. */
function described(path: string, paths: readonly string[]): string {
  const [asked = ''] = path.split('?');
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);
  const exact = asked.replace(/^\/lanes\/0/, '/lanes/{lane}');
  return paths.includes(exact) ? exact : (paths.find(fits) ?? `nothing for ${path}`);
}

describeWithPostgres("access to the operators' API", () => {
  let world: OpsWorld;

  beforeAll(async () => {
    world = await openOps();
  });
  afterAll(async () => await world?.close());

  it.each(GUARDED)('requires the token at %s %j', async (path, request) => {
    const answer = await world.ask(path, { ...request, token: null });
    opsProblem(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each(GUARDED)('is refused with unknown parameters at %s %j', async (path, request) => {
    const answer = await world.ask(`${path}${path.includes('?') ? '&' : '?'}limt=1`, request);
    const { errors } = opsProblem(answer, 400, 'invalid_parameter');
    expect(errors).toMatchObject([{ parameter: 'limt', message: expect.stringMatching(/^Unknown parameter: .*\.$/) }]);
  });

  it('lists the known parameters in the error about an unknown one', async () => {
    const messageOf = async (path: string, request?: OpsRequest) =>
      opsProblem(await world.ask(path, request), 400, 'invalid_parameter').errors?.map(({ message }) => message);
    expect(await messageOf('/operations?limt=1')).toEqual(['Unknown parameter: the parameters are limit, before.']);
    expect(await messageOf('/replays?limt=1')).toEqual(['Unknown parameter: the parameters are limit, before.']);
    expect(await messageOf('/keys?limit=1')).toEqual(['Unknown parameter: there are no parameters.']);
    const body = { throttle: 'off', x: 1 };
    expect(await messageOf('/replays/1/throttle', { method: 'PUT', body })).toEqual([
      'Unknown parameter: the only parameter is throttle.',
    ]);
  });

  it.each([
    ['another token', `Bearer ${TOKEN}x`],
    ['a part of the token', `Bearer ${TOKEN.slice(0, -1)}`],
    ['another scheme', `APIKEY ${TOKEN}`],
    ['no scheme', TOKEN],
    ['no token', 'Bearer '],
    ['two tokens', `Bearer ${TOKEN} ${TOKEN}`],
    ['U+0000', `Bearer ${TOKEN}\0`],
  ])('is refused with %s', async (_what, authorization) => {
    opsProblem(await world.ask('/status', { token: null, headers: { authorization } }), 401, 'unauthorized');
  });

  it('accepts the scheme word in any case', async () => {
    const headers = { authorization: `bearer ${TOKEN}` };
    expect((await world.ask('/status', { token: null, headers })).statusCode).toBe(200);
  });

  it.each(OPEN)('requires no token at %s', async (path) => {
    expect((await world.ask(path, { token: null })).statusCode).toBe(200);
    expect((await world.ask(`${path}?probe=1`, { token: null })).statusCode).toBe(200);
  });

  it('requires OPS_TOKEN to be set, except for health and metrics, and the error says so', async () => {
    const closed = await world.build({ token: undefined });
    for (const [path, request] of GUARDED) {
      const problem = opsProblem(await closed.inject(requestOf(path, request)), 401, 'unauthorized');
      expect(problem.detail).toContain('set OPS_TOKEN');
    }
    for (const path of OPEN) expect((await closed.inject(path)).statusCode, path).toBe(200);
    const { rows } = await world.pipeline.directory.query('SELECT FROM api_key');
    expect(rows).toEqual([]);
  });

  describe('is refused with status', () => {
    it('404 for unknown paths, with or without the token', async () => {
      for (const token of [TOKEN, null]) {
        opsProblem(await world.ask('/nothing', { token, method: 'POST', body: '{' }), 404, 'not_found');
      }
    });

    it.each([
      ['/status', 'POST', 'GET, HEAD'],
      ['/keys', 'PUT', 'GET, HEAD, POST'],
      ['/keys/key_1', 'GET', 'DELETE'],
      ['/metrics', 'DELETE', 'GET, HEAD'],
    ] as const)('405 for %s with the method %s, with an Allow header', async (path, method, allow) => {
      const answer = await world.ask(path, { method });
      opsProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe(allow);
    });

    it('400 for a path with invalid percent-encoding', async () => {
      opsProblem(await world.ask('/keys/%zz', { method: 'DELETE' }), 400, 'bad_request');
    });

    it.each([
      ['400 for invalid JSON', '{', {}, 400, 'bad_request'],
      ['400 for an attempt at prototype pollution', '{"__proto__":{"x":1},"fleet_id":"acme"}', {}, 400, 'bad_request'],
      ['415 for another type', 'fleet_id=acme', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['413 for a body that is too large', JSON.stringify('x'.repeat(300_000)), {}, 413, 'body_too_large'],
    ] as const)('%s', async (_what, body, headers, status, code) => {
      opsProblem(await world.ask('/keys', { method: 'POST', body, headers }), status, code);
    });
  });

  it('is documented in OpenAPI with every path, every problem, and the operator header for every change', async () => {
    const document = (await world.ask('/openapi.json')).json();
    const guarded = GUARDED.map(([path]) => described(path, Object.keys(document.paths)));
    expect(Object.keys(document.paths).sort()).toEqual(
      [...new Set([...guarded, '/healthz', '/metrics', '/readyz', ...SCHEMAS])].sort(),
    );
    for (const [path, { method = 'GET' }] of GUARDED) {
      const operation = document.paths[described(path, Object.keys(document.paths))][method.toLowerCase()];
      expect(Object.keys(operation.responses), path).toEqual(
        expect.arrayContaining(['400', '401', '429', '500', '503']),
      );
      const named = expect.objectContaining({ in: 'header', name: expect.stringMatching(/^milepost-operator$/i) });
      if (method !== 'GET') expect(operation.parameters, path).toContainEqual(named);
    }
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name));
    const used = Object.values<object>(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.tags),
    );
    expect(new Set(used)).toEqual(tags);
  });

  it('documents every property with a description and an example, and names shared schemas', async () => {
    const { components } = (await world.ask('/openapi.json')).json();
    expect(silentProperties(components.schemas)).toEqual([]);
    const names = ['Replay', 'Verification', 'DeadLetter', 'StoredEvent', 'AuditReport', 'AuditFault', 'Generation'];
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(names));
  });
});
