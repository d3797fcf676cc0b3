import { key } from '../shared/session.ts';
import { createApi, type DataOf, type Reply } from './client.ts';
import { lane } from './lane.ts';
import type { paths } from './openapi.d.ts';
import { headerText, operator } from './operator.ts';
import type { DeadLetterFilter } from './route.ts';

type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Input } } };
}
  ? Input
  : never;
type ResultOf<Change extends (...parameters: never[]) => Promise<Reply<unknown>>> = NonNullable<
  Awaited<ReturnType<Change>>['data']
>;

const PAGE_SIZE = 100;

/** The `Authorization` header with a token, or with a shell variable in its place. */
const bearer = (token: string) => `Bearer ${token}`;

const headers = () => ({
  authorization: bearer(key.value ?? ''),
  ...(operator.value === '' ? {} : { 'milepost-operator': headerText(operator.value) }),
});
const authorization = bearer('$OPS_TOKEN');

/** Requests about the page's lane. If the page has none, the server chooses the lane. */
const inLane = createApi<paths>(headers, authorization, () => (lane.value === null ? '' : `/lanes/${lane.value}`));
/** Requests about all lanes. */
const shared = createApi<paths>(headers, authorization, () => '');
const { client, get } = inLane;

/** The query parameters for a page of entries with ids below `before`, or for the first page if `before` is null. */
function pageQuery(before: number | null): { limit: number; before?: number } {
  return before === null ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, before };
}

/** A filter's non-empty strings, for a request's query parameters or body. */
function filterTexts({ all: _, ...texts }: DeadLetterFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Whether the server is ready, and if not, why. Null for an unexpected response. */
export async function fetchReadiness(signal: AbortSignal) {
  const { data, error, response } = await shared.client().GET('/readyz', { signal });
  return data ?? (response.status === 503 && error && 'reason' in error ? error : null);
}

/** Opens the stream of `GET /events`. */
export async function openEvents(signal: AbortSignal): Promise<Response> {
  const { response } = await client().GET('/events', { signal, parseAs: 'stream' });
  return response;
}

/** The requests whose responses the views show. */
export const reads = {
  status: () => get('/status'),
  replayPage: (before: number | null) => get('/replays', { params: { query: pageQuery(before) } }),
  replay: (id: number) => get('/replays/{id}', { params: { path: { id } } }),
  deadLetterPage: (filter: DeadLetterFilter, before: number | null) => {
    const all = filter.all ? { all: true } : {};
    return get('/dead-letters', { params: { query: { ...filterTexts(filter), ...all, ...pageQuery(before) } } });
  },
  deadLetterSummary: (filter: DeadLetterFilter) =>
    get('/dead-letters/summary', { params: { query: filterTexts(filter) } }),
  deadLetter: (id: number) => get('/dead-letters/{id}', { params: { path: { id } } }),
  keys: () => shared.get('/keys'),
  auditPage: (before: number | null) => get('/audits', { params: { query: pageQuery(before) } }),
  audit: (id: number) => get('/audits/{id}', { params: { path: { id } } }),
  auditTrailPage: (before: number | null) => shared.get('/operations', { params: { query: pageQuery(before) } }),
  tripTrace: (trip_id: string) => get('/trips/{trip_id}/trace', { params: { path: { trip_id } } }),
  driverDayTrace: (fleet_id: string, driver_id: string, date: string) =>
    get('/drivers/{fleet_id}/{driver_id}/trace', { params: { path: { fleet_id, driver_id }, query: { date } } }),
  lanes: () => shared.get('/lanes'),
  /** The fleets whose ids start with `beginning`, with their lanes. */
  placedFleets: (beginning: string) => shared.get('/fleets/lanes', { params: { query: { beginning } } }),
  fleets: (beginning: string) => get('/fleets', { params: { query: { beginning } } }),
  /** A fleet's drivers, read from the fleet's lane. */
  drivers: (fleet_id: string, beginning: string) =>
    shared.get('/drivers/{fleet_id}', { params: { path: { fleet_id }, query: { beginning } } }),
  erasurePreview: (fleet_id: string, driver_id: string) =>
    get('/drivers/{fleet_id}/{driver_id}/erasure', { params: { path: { fleet_id, driver_id } } }),
};

/** The requests that change something. Each is sent only once and never retried. */
export const changes = {
  startReplay: (body: Body<'/replays'>) => client().POST('/replays', { body }),
  pauseReplay: (id: number) => client().POST('/replays/{id}/pause', { params: { path: { id } } }),
  resumeReplay: (id: number) => client().POST('/replays/{id}/resume', { params: { path: { id } } }),
  cancelReplay: (id: number) => client().POST('/replays/{id}/cancel', { params: { path: { id } } }),
  dropReplay: (id: number) => client().POST('/replays/{id}/drop', { params: { path: { id } } }),
  promoteReplay: (id: number, accept_differences: boolean) =>
    client().POST('/replays/{id}/promote', { params: { path: { id } }, body: { accept_differences } }),
  throttleReplay: (id: number, throttle: Replay['throttle']) =>
    client().PUT('/replays/{id}/throttle', { params: { path: { id } }, body: { throttle } }),
  rollBack: (name: string) => client().POST('/projections/{name}/roll-back', { params: { path: { name } } }),
  startAudit: () => client().POST('/audits'),
  retryDeadLetters: (body: Body<'/dead-letters/retry'>) => client().POST('/dead-letters/retry', { body }),
  discardDeadLetters: (body: Body<'/dead-letters/discard'>) => client().POST('/dead-letters/discard', { body }),
  createKey: (body: Body<'/keys'>) => shared.client().POST('/keys', { body }),
  revokeKey: (id: string) => shared.client().DELETE('/keys/{id}', { params: { path: { id } } }),
  acceptSource: (topic: string, partition: number, from: 'beginning' | number) =>
    client().POST('/sources/{topic}/{partition}/accept', { params: { path: { topic, partition } }, body: { from } }),
  erase: (fleet_id: string, driver_id: string, body: { reason: string; keep_aggregates: boolean }) =>
    client().POST('/drivers/{fleet_id}/{driver_id}/erasure', { params: { path: { fleet_id, driver_id } }, body }),
};

/** Returns the fields of a request's body that select all open dead letters that match a filter. */
export function allMatching(filter: DeadLetterFilter): { all_open: true } {
  return { all_open: true, ...filterTexts(filter) };
}

export type Status = DataOf<typeof reads.status>;
export type Source = Status['sources'][number];
export type Readiness = NonNullable<Awaited<ReturnType<typeof fetchReadiness>>>;
export type ReplayList = DataOf<typeof reads.replayPage>;
export type Replay = DataOf<typeof reads.replay>;
export type Verification = NonNullable<Replay['verification']>;
export type ScoreChanges = NonNullable<Verification['tables'][number]['changes']>;
export type DeadLetter = DataOf<typeof reads.deadLetterPage>['dead_letters'][number];
export type DeadLetterGroup = DataOf<typeof reads.deadLetterSummary>['groups'][number];
export type DeadLetterDetail = DataOf<typeof reads.deadLetter>;
export type Discarded = ResultOf<typeof changes.discardDeadLetters>;
export type ApiKey = DataOf<typeof reads.keys>['keys'][number];
export type CreatedKey = ResultOf<typeof changes.createKey>;
export type AuditList = DataOf<typeof reads.auditPage>;
export type Audit = DataOf<typeof reads.audit>;
export type AuditTrail = DataOf<typeof reads.auditTrailPage>;
export type TripTrace = DataOf<typeof reads.tripTrace>;
export type DriverDayTrace = DataOf<typeof reads.driverDayTrace>;
export type TracedEvent = TripTrace['stored_events'][number];
export type ErasurePreview = DataOf<typeof reads.erasurePreview>;
export type Erased = ResultOf<typeof changes.erase>;
