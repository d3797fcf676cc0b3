import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

const REPORTS = [
  '/api/v1/drivers',
  '/api/v1/driver/{driver_id}/trips',
  '/api/v1/trip/trip_id/{trip_id}',
  '/api/v1/trip/tracking_id/{tracking_id}',
  '/api/v1/driver-aggregate/daily',
  '/api/v1/driver-aggregate/weekly',
];

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Record<string, unknown>;
}

describeWithPostgres('/openapi.json', () => {
  let world: World;
  let document: {
    openapi: string;
    paths: Record<
      string,
      { get: { parameters?: Parameter[]; responses: Record<string, { content?: Record<string, { schema: object }> }> } }
    >;
    components: { schemas: Record<string, unknown> };
  };

  beforeAll(async () => {
    world = await createWorld();
    document = (await world.get('/openapi.json', { key: null })).json();
  });
  afterAll(async () => await world?.close());

  it('is OpenAPI 3.1 and documents the paths of the interface, with GET alone', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([...REPORTS, '/healthz', '/readyz'].sort());
    for (const path of Object.values(document.paths)) expect(Object.keys(path)).toEqual(['get']);
  });

  it.each(REPORTS)('declares every status that %s answers with, errors as problems', (path) => {
    const { responses } = document.paths[path]?.get ?? { responses: {} };
    const own = path === '/api/v1/drivers' ? [] : ['404'];
    expect(Object.keys(responses).sort()).toEqual(
      ['200', '304', '400', '401', '408', '415', '417', '429', '431', '500', '503', ...own].sort(),
    );
    expect(responses['200']?.content).toHaveProperty(['application/json', 'schema', 'type'], 'object');
    expect(responses['400']?.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
  });

  it('states limits, defaults and required parameters as the interface does', () => {
    const parameters = (path: string) =>
      Object.fromEntries((document.paths[path]?.get.parameters ?? []).map((one) => [one.name, one]));
    expect(parameters('/api/v1/drivers')).toMatchObject({
      limit: { in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
      page: { in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
    });
    expect(parameters('/api/v1/driver-aggregate/daily')).toMatchObject({
      start_date: { required: true, schema: { type: 'string', format: 'date' } },
      driver_id: { required: true, schema: { type: 'array', minItems: 1, maxItems: 20 } },
    });
  });

  it('has every reference resolved within the document', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Problem']));
    expect(document.components.schemas).toHaveProperty('Problem');
  });

  it('is shown by a reference page that loads nothing from elsewhere', async () => {
    const page = await world.get('/docs', { key: null });
    expect(page.statusCode).toBe(200);
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => String(target));
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) expect((await world.get(asset, { key: null })).statusCode, asset).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  });
});
