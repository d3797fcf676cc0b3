import createClient from 'openapi-fetch';
import { type Question, question, type Reply } from '../shared/question.ts';
import { key } from '../shared/session.ts';
import type { paths } from './openapi.d.ts';
import { headerText, operator } from './operator.ts';
import type { LetterFilter } from './route.ts';

type Content<
  Path extends keyof paths,
  Code extends number = 200,
  Method extends 'get' | 'post' = 'get',
> = paths[Path] extends {
  [method in Method]: { responses: { [code in Code]: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;
type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Input } } };
}
  ? Input
  : never;

export type Status = Content<'/status'>;
export type Source = Status['sources'][number];
export type Readiness = Content<'/readyz'> | Content<'/readyz', 503>;
export type ReplayList = Content<'/replays'>;
export type Replay = Content<'/replays/{id}'>;
export type Verification = NonNullable<Replay['verification']>;
type ReplayStart = Body<'/replays'>;
type DeadLetterPage = Content<'/dead-letters'>;
export type DeadLetter = DeadLetterPage['dead_letters'][number];
export type DeadLetterGroup = Content<'/dead-letters/summary'>['groups'][number];
export type WholeDeadLetter = Content<'/dead-letters/{id}'>;
export type ApiKey = Content<'/keys'>['keys'][number];
export type CreatedKey = Content<'/keys', 201, 'post'>;
export type AuditPage = Content<'/audits'>;
export type Audit = Content<'/audits/{id}'>;
export type TrailPage = Content<'/operations'>;
export type TripTrace = Content<'/trips/{trip_id}/trace'>;
export type DriverDayTrace = Content<'/drivers/{fleet_id}/{driver_id}/trace'>;
export type TracedEvent = TripTrace['stored_events'][number];

/** How the server wants to be asked; the variable stands for the token wherever a request is shown. */
export const AUTHORIZATION = 'Bearer $OPS_TOKEN';

const PER_PAGE = 100;

/** The headers that every request carries. */
export function headers(): Record<string, string> {
  return {
    authorization: `Bearer ${key.value ?? ''}`,
    ...(operator.value === '' ? {} : { 'milepost-operator': headerText(operator.value) }),
  };
}

const client = createClient<paths>({ baseUrl: location.origin });

/** The names in a filter that say something, as the query string and bodies have them. */
function given({ all: _, ...texts }: LetterFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

export function statusNow(): Question<Status> {
  return question('/status', {}, (signal) => client.GET('/status', { signal, headers: headers() }));
}

/** Whether it is ready, and why not; the server says either with a status of its own. */
export async function askReadiness(signal: AbortSignal): Promise<Readiness | null> {
  const { data, error, response } = await client.GET('/readyz', { signal });
  return data ?? (response.status === 503 && error && 'reason' in error ? error : null);
}

export function replayPage(before: number | null): Question<ReplayList> {
  const params = { query: { limit: PER_PAGE, ...(before === null ? {} : { before }) } };
  return question('/replays', params, (signal) => client.GET('/replays', { params, signal, headers: headers() }));
}

export function replay(id: number): Question<Replay> {
  const params = { path: { id } };
  return question('/replays/{id}', params, (signal) =>
    client.GET('/replays/{id}', { params, signal, headers: headers() }),
  );
}

export function deadLetterPage(filter: LetterFilter, before: number | null): Question<DeadLetterPage> {
  const query = { ...given(filter), ...(filter.all ? { all: true } : {}), limit: PER_PAGE };
  const params = { query: before === null ? query : { ...query, before } };
  return question('/dead-letters', params, (signal) =>
    client.GET('/dead-letters', { params, signal, headers: headers() }),
  );
}

export function deadLetterCounts(filter: LetterFilter): Question<Content<'/dead-letters/summary'>> {
  const params = { query: given(filter) };
  return question('/dead-letters/summary', params, (signal) =>
    client.GET('/dead-letters/summary', { params, signal, headers: headers() }),
  );
}

export function deadLetter(id: number): Question<WholeDeadLetter> {
  const params = { path: { id } };
  return question('/dead-letters/{id}', params, (signal) =>
    client.GET('/dead-letters/{id}', { params, signal, headers: headers() }),
  );
}

export function allKeys(): Question<Content<'/keys'>> {
  return question('/keys', {}, (signal) => client.GET('/keys', { signal, headers: headers() }));
}

export function auditPage(before: number | null): Question<AuditPage> {
  const params = { query: { limit: PER_PAGE, ...(before === null ? {} : { before }) } };
  return question('/audits', params, (signal) => client.GET('/audits', { params, signal, headers: headers() }));
}

export function audit(id: number): Question<Audit> {
  const params = { path: { id } };
  return question('/audits/{id}', params, (signal) =>
    client.GET('/audits/{id}', { params, signal, headers: headers() }),
  );
}

export function trailPage(before: number | null): Question<TrailPage> {
  const params = { query: { limit: PER_PAGE, ...(before === null ? {} : { before }) } };
  return question('/operations', params, (signal) => client.GET('/operations', { params, signal, headers: headers() }));
}

export function tripTrace(trip_id: string): Question<TripTrace> {
  const params = { path: { trip_id } };
  return question('/trips/{trip_id}/trace', params, (signal) =>
    client.GET('/trips/{trip_id}/trace', { params, signal, headers: headers() }),
  );
}

export function driverDayTrace(fleet_id: string, driver_id: string, date: string): Question<DriverDayTrace> {
  const params = { path: { fleet_id, driver_id }, query: { date } };
  return question('/drivers/{fleet_id}/{driver_id}/trace', params, (signal) =>
    client.GET('/drivers/{fleet_id}/{driver_id}/trace', { params, signal, headers: headers() }),
  );
}

const ERASURE = '/drivers/{fleet_id}/{driver_id}/erasure';
export type ErasurePreview = Content<typeof ERASURE>;
export type Erased = Content<typeof ERASURE, 200, 'post'>;

export function erasurePreview(fleet_id: string, driver_id: string): Question<ErasurePreview> {
  const params = { path: { fleet_id, driver_id } };
  return question(ERASURE, params, (signal) => client.GET(ERASURE, { params, signal, headers: headers() }));
}

/** What changes something. Each sends its request once, and never again by itself. */
export const changes = {
  startReplay: (body: ReplayStart) => client.POST('/replays', { body, headers: headers() }),
  pauseReplay: (id: number) => client.POST('/replays/{id}/pause', { params: { path: { id } }, headers: headers() }),
  resumeReplay: (id: number) => client.POST('/replays/{id}/resume', { params: { path: { id } }, headers: headers() }),
  cancelReplay: (id: number) => client.POST('/replays/{id}/cancel', { params: { path: { id } }, headers: headers() }),
  dropReplay: (id: number) => client.POST('/replays/{id}/drop', { params: { path: { id } }, headers: headers() }),
  promoteReplay: (id: number, accept_differences: boolean) =>
    client.POST('/replays/{id}/promote', {
      params: { path: { id } },
      body: { accept_differences },
      headers: headers(),
    }),
  throttleReplay: (id: number, throttle: Replay['throttle']) =>
    client.PUT('/replays/{id}/throttle', { params: { path: { id } }, body: { throttle }, headers: headers() }),
  rollBack: (name: string) =>
    client.POST('/projections/{name}/roll-back', { params: { path: { name } }, headers: headers() }),
  startAudit: () => client.POST('/audits', { headers: headers() }),
  retryLetters: (body: Body<'/dead-letters/retry'>) => client.POST('/dead-letters/retry', { body, headers: headers() }),
  discardLetters: (body: Body<'/dead-letters/discard'>) =>
    client.POST('/dead-letters/discard', { body, headers: headers() }),
  createKey: (fleet_id: string) => client.POST('/keys', { body: { fleet_id }, headers: headers() }),
  revokeKey: (id: string) => client.DELETE('/keys/{id}', { params: { path: { id } }, headers: headers() }),
  acceptSource: (topic: string, partition: number, from: 'beginning' | number) =>
    client.POST('/sources/{topic}/{partition}/accept', {
      params: { path: { topic, partition } },
      body: { from },
      headers: headers(),
    }),
  erase: (fleet_id: string, driver_id: string, body: { reason: string; keep_aggregates: boolean }) =>
    client.POST(ERASURE, { params: { path: { fleet_id, driver_id } }, body, headers: headers() }),
} satisfies Record<string, (...parameters: never[]) => Promise<Reply<unknown>>>;

/** All open dead letters that a filter lets through, as bodies have them. */
export function allThat(filter: LetterFilter): { all_open: true } {
  return { all_open: true, ...given(filter) };
}
