import type { RequestBodyJSON } from 'openapi-typescript-helpers';
import { createApi, open } from './client.ts';
import { lane } from './lane.ts';
import type { components, paths } from './openapi.d.ts';
import type { DeadLetterFilter } from './route.ts';

/** The values in the API's responses, by the names of their schemas. */
export type Schemas = components['schemas'];
export type Status = Schemas['StatusAnswer'];
export type Replay = Schemas['Replay'];
export type Readiness = Schemas['Ready'] | Schemas['NotReady'];
type Body<Path extends keyof paths> = RequestBodyJSON<paths[Path]['post']>;

const PAGE_SIZE = 100;

/** The beginning of the paths about the page's lane. If the page has none, the server chooses the lane. */
const lanePath = () => (lane.value === null ? '' : `/lanes/${lane.value}`);
const { get, change } = createApi(lanePath);
/** Requests about all lanes. */
const shared = createApi(() => '');

/** The query parameters for a page of entries with ids below `before`, or for the first page if `before` is null. */
function pageQuery(before: number | null): { limit: number; before?: number } {
  return before === null ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, before };
}

/** A filter's non-empty strings, for a request's query parameters or body. */
function filterTexts({ all: _, ...texts }: DeadLetterFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Whether the server is ready, and if not, why. Null for an unexpected response; rejects when it is not JSON. */
export async function fetchReadiness(signal: AbortSignal): Promise<Readiness | null> {
  const response = await open('/readyz', { signal });
  const answer: Readiness | Schemas['Problem'] = await response.json();
  return answer.status === 'ready' || answer.status === 'not_ready' ? answer : null;
}

/** Opens the stream of `GET /events`. */
export async function openEvents(signal: AbortSignal): Promise<Response> {
  return await open(`${lanePath()}/events`, { signal });
}

/** The requests whose responses the views show. */
export const reads = {
  status: () => get('/status'),
  replayPage: (before: number | null) => get('/replays', { query: pageQuery(before) }),
  replay: (id: number) => get('/replays/{id}', { path: { id } }),
  deadLetterPage: (filter: DeadLetterFilter, before: number | null) => {
    const all = filter.all ? { all: true } : {};
    return get('/dead-letters', { query: { ...filterTexts(filter), ...all, ...pageQuery(before) } });
  },
  deadLetterSummary: (filter: DeadLetterFilter) => get('/dead-letters/summary', { query: filterTexts(filter) }),
  deadLetter: (id: number) => get('/dead-letters/{id}', { path: { id } }),
  keys: () => shared.get('/keys'),
  auditPage: (before: number | null) => get('/audits', { query: pageQuery(before) }),
  audit: (id: number) => get('/audits/{id}', { path: { id } }),
  auditTrailPage: (before: number | null) => shared.get('/operations', { query: pageQuery(before) }),
  tripTrace: (trip_id: string) => get('/trips/{trip_id}/trace', { path: { trip_id } }),
  driverDayTrace: (fleet_id: string, driver_id: string, date: string) =>
    get('/drivers/{fleet_id}/{driver_id}/trace', { path: { fleet_id, driver_id }, query: { date } }),
  lanes: () => shared.get('/lanes'),
  /** The fleets whose ids start with `beginning`, with their lanes. */
  placedFleets: (beginning: string) => shared.get('/fleets/lanes', { query: { beginning } }),
  fleets: (beginning: string) => get('/fleets', { query: { beginning } }),
  /** A fleet's drivers, read from the fleet's lane. */
  drivers: (fleet_id: string, beginning: string) =>
    shared.get('/drivers/{fleet_id}', { path: { fleet_id }, query: { beginning } }),
  erasurePreview: (fleet_id: string, driver_id: string) =>
    get('/drivers/{fleet_id}/{driver_id}/erasure', { path: { fleet_id, driver_id } }),
};

/** The requests that change something. Each is sent only once and never retried. */
export const changes = {
  startReplay: (body: Body<'/replays'>) => change('post', '/replays', { body }),
  pauseReplay: (id: number) => change('post', '/replays/{id}/pause', { path: { id } }),
  resumeReplay: (id: number) => change('post', '/replays/{id}/resume', { path: { id } }),
  cancelReplay: (id: number) => change('post', '/replays/{id}/cancel', { path: { id } }),
  dropReplay: (id: number) => change('post', '/replays/{id}/drop', { path: { id } }),
  promoteReplay: (id: number, accept_differences: boolean) =>
    change('post', '/replays/{id}/promote', { path: { id }, body: { accept_differences } }),
  throttleReplay: (id: number, throttle: Replay['throttle']) =>
    change('put', '/replays/{id}/throttle', { path: { id }, body: { throttle } }),
  rollBack: (name: string) => change('post', '/projections/{name}/roll-back', { path: { name } }),
  startAudit: () => change('post', '/audits'),
  retryDeadLetters: (body: Body<'/dead-letters/retry'>) => change('post', '/dead-letters/retry', { body }),
  discardDeadLetters: (body: Body<'/dead-letters/discard'>) => change('post', '/dead-letters/discard', { body }),
  createKey: (body: Body<'/keys'>) => shared.change('post', '/keys', { body }),
  revokeKey: (id: string) => shared.change('delete', '/keys/{id}', { path: { id } }),
  acceptSource: (topic: string, partition: number, from: 'beginning' | number) =>
    change('post', '/sources/{topic}/{partition}/accept', { path: { topic, partition }, body: { from } }),
  erase: (fleet_id: string, driver_id: string, body: { reason: string; keep_aggregates: boolean }) =>
    change('post', '/drivers/{fleet_id}/{driver_id}/erasure', { path: { fleet_id, driver_id }, body }),
};

/** Returns the fields of a request's body that select all open dead letters that match a filter. */
export function allMatching(filter: DeadLetterFilter): { all_open: true } {
  return { all_open: true, ...filterTexts(filter) };
}
