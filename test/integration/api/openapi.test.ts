import { generateApiKey } from '@milepost/domain/api-key';
import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { RECORD_KINDS } from '@milepost/domain/record-schemas';
import { beforeAll, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { problemOf } from '../../support/answers.ts';
import type { DocumentedSchema } from '../../support/openapi.ts';
import { DEFAULT_NOW, describeWithWorld } from '../../support/world.ts';

const REPORTS = [
  '/api/v1/drivers',
  '/api/v1/driver/{driver_id}/trips',
  '/api/v1/trip/trip_id/{trip_id}',
  '/api/v1/trip/tracking_id/{tracking_id}',
  '/api/v1/driver-aggregate/daily',
  '/api/v1/driver-aggregate/weekly',
];

/** The console and clients rely on these names. */
const NAMES = [
  ...['Driver', 'Trip', 'TripDetail', 'EventSummary', 'TripFocusArea', 'TrailPoint', 'TripEvent'],
  ...['DailySummary', 'WeeklySummary', 'SummaryFocusArea', 'Problem', 'ParameterError'],
];

/** Headers that HTTP requires or that every response contains. */
const UNDECLARED_HEADERS = [
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'vary', 'x-content-type-options'],
];

interface DocumentedResponse {
  headers?: object;
  content?: Record<string, { schema: object }>;
}

describeWithWorld('/openapi.json', (world) => {
  let document: {
    openapi: string;
    info: { version: string };
    paths: Record<string, { get: { responses: Record<string, DocumentedResponse> } }>;
    components: { schemas: Record<string, DocumentedSchema>; examples: Record<string, { value: object }> };
  };

  beforeAll(async () => {
    document = (await world.get('/openapi.json', { key: null })).json();
  });

  it('is OpenAPI 3.1, and documents only the paths of the interface, with no method except GET', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe(manifest.version);
    const schemas = RECORD_KINDS.map((kind) => `/schemas/${kind}`);
    expect(Object.keys(document.paths).sort()).toEqual([...REPORTS, '/healthz', '/readyz', ...schemas].sort());
    for (const path of Object.values(document.paths)) expect(Object.keys(path)).toEqual(['get']);
  });

  it.each(REPORTS)('declares every status of %s, with problems for errors', (path) => {
    const { responses } = document.paths[path]?.get ?? { responses: {} };
    const own = path === '/api/v1/drivers' ? [] : ['404'];
    expect(Object.keys(responses).sort()).toEqual(
      ['200', '304', '400', '401', '408', '415', '417', '429', '431', '500', '503', ...own].sort(),
    );
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const type = status < '400' ? 'application/json' : 'application/problem+json';
      expect(Object.keys(content)).toEqual(status === '304' ? [] : [type]);
      if (status < '400') continue;
      expect(content[type]?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
    }
  });

  it('names the response schemas, for the types of clients', () => {
    const names = REPORTS.map((path) => document.paths[path]?.get.responses['200']?.content?.['application/json']);
    const reference = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });
    const pages = ['DriverPage', 'TripPage', 'TripDetailPage', 'TripDetailPage', 'DailySummaries', 'WeeklySummaries'];
    expect(names).toEqual(pages.map(reference));
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(NAMES));
  });

  it('contains an example for each problem code, which equals the real response', async () => {
    const { examples } = document.components;
    for (const [code, { value }] of Object.entries(examples)) expect(value).toMatchObject({ code });
    const odd = await world.get('/api/v1/drivers', { headers: { 'content-type': 'x' } });
    const really = [
      problemOf(odd, 415, 'unsupported_media_type'),
      problemOf(await world.get('/api/v1/drivers', { key: generateApiKey() }), 401, 'unauthorized'),
      problemOf(await world.get('/api/v1/driver/driver-00099/trips?start_date=2025-01-13'), 404, 'driver_not_found'),
    ];
    for (const problem of really) {
      expect({ ...problem, request_id: '' }).toEqual({ ...examples[problem.code]?.value, request_id: '' });
    }
  });

  it.each([
    ['200', '/api/v1/drivers', {}],
    ['304', '/api/v1/drivers', { 'if-none-match': '*' }],
    ['400', '/api/v1/drivers?page=0', {}],
    ['401', '/api/v1/drivers', { authorization: 'x' }],
    ['415', '/api/v1/drivers', { 'content-type': 'x' }],
  ])('declares exactly the headers of responses with status %s', async (status, path, headers) => {
    const answer = await world.get(path, { headers });
    expect(String(answer.statusCode)).toBe(status);
    const declared = Object.keys(document.paths['/api/v1/drivers']?.get.responses[status]?.headers ?? {});
    const sent = Object.keys(answer.headers).filter((name) => !UNDECLARED_HEADERS.includes(name));
    expect(declared.map((name) => name.toLowerCase()).sort()).toEqual(sent.sort());
  });

  it('contains example parameters for which the sample fleet has data on any day', async () => {
    const exampleOf = async (path: string, name: string) => {
      const { paths } = (await world.get('/openapi.json', { key: null })).json();
      return paths[path].get.parameters.find((one: { name: string }) => one.name === name).example;
    };
    expect(await exampleOf('/api/v1/driver-aggregate/weekly', 'start_date')).toBe('2025-01-13');
    expect(await exampleOf('/api/v1/driver-aggregate/weekly', 'driver_id')).toEqual(['driver-00001']);
    world.setTime(DEFAULT_NOW + 7 * MILLISECONDS_PER_DAY);
    expect(await exampleOf('/api/v1/driver-aggregate/weekly', 'start_date')).toBe('2025-01-20');
  });

  it('is shown by a reference page that loads nothing from other sites', async () => {
    const start = await world.get('/', { key: null });
    expect([start.statusCode, start.headers.location]).toEqual([302, './docs/']);
    const page = await world.get('/docs/', { key: null });
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => String(target));
    expect(assets).toEqual(['js/scalar.js']);
    expect((await world.get('/docs/js/scalar.js', { key: null })).statusCode).toBe(200);
  });
});
