import { AnswerCache } from './answer-cache.ts';
import { MilepostError, responseError } from './error.ts';
import {
  type AnswerOf,
  type DailyDriverSummary,
  type Driver,
  MAX_PAGE_SIZE,
  type ReportPath,
  type ReportRequest,
  requestTo,
  type Trip,
  type TripDetail,
  type WeeklyDriverSummary,
} from './report-request.ts';
import { retryDelayMilliseconds, waitFor } from './retry.ts';

export interface ClientOptions {
  /** The URL of the service, such as `https://milepost.example.org`. The URL may contain a path. */
  baseUrl: string;
  /** The fleet's API key, without the `APIKEY` prefix. */
  key: string;
  /** The timeout for each request, including the body of its response. The default is 30. */
  timeoutSeconds?: number;
  /** The maximum number of retries after the first attempt. The default is 4. */
  maxRetries?: number;
  /**
   * The maximum duration of a call, including all its attempts and delays. An iterator makes one call per page. The
   * default is 90 seconds, because the service may ask for a delay of one minute.
   */
  maxTotalSeconds?: number;
  /** The maximum total number of characters in stored responses. The default is 4 million; 0 disables the cache. */
  maxCachedCharacters?: number;
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Returns a base URL without a trailing slash. Throws a TypeError for a URL to which no request can be sent. */
function serviceUrl(baseUrl: string): string {
  const { protocol, origin, pathname, username, password, search, hash } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== '')
    throw new TypeError(
      'The base URL must start with http:// or https://, and have no password, query or fragment, as in https://milepost.example.org.',
    );
  return `${origin}${pathname}`.replace(/\/$/, '');
}

type PagePath = {
  [Path in ReportPath]: AnswerOf<Path> extends { next_page: number | null } ? Path : never;
}[ReportPath];

/**
 * One fleet's client for the five endpoints. The client repeats requests that fail temporarily (429, 502, 503, 504 or
 * no response), after the delay in `Retry-After` if there is one. A call that still fails rejects with a
 * `MilepostError`. The client stores responses with their tags, so that the service need not resend an unchanged
 * response.
 */
export class MilepostClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMilliseconds: number;
  readonly #maxRetries: number;
  readonly #maxTotalMilliseconds: number;
  readonly #cache: AnswerCache;

  /** Throws a TypeError if the base URL is invalid, or if the key cannot be sent in a header. */
  constructor({
    baseUrl,
    key,
    timeoutSeconds = 30,
    maxRetries = 4,
    maxTotalSeconds = 90,
    maxCachedCharacters = 4_000_000,
  }: ClientOptions) {
    this.#baseUrl = serviceUrl(baseUrl);
    // The service requires a Content-Type, although no request has a body.
    this.#headers = Object.fromEntries(
      new Headers({ authorization: `APIKEY ${key}`, 'content-type': 'application/json' }),
    );
    this.#timeoutMilliseconds = timeoutSeconds * 1_000;
    this.#maxRetries = maxRetries;
    this.#maxTotalMilliseconds = maxTotalSeconds * 1_000;
    this.#cache = new AnswerCache(maxCachedCharacters);
  }

  /** All drivers in the fleet in order of first appearance, loaded page by page. */
  async *drivers(options?: CallOptions): AsyncGenerator<Driver, void, undefined> {
    const requestOf = (page: number) => requestTo('/api/v1/drivers', { query: { page, limit: MAX_PAGE_SIZE } });
    for await (const { drivers } of this.#pages(requestOf, options)) yield* drivers;
  }

  /**
   * A driver's trips that start on or after a day (YYYY-MM-DD, UTC), ordered by start time and loaded page by page. If
   * an earlier trip appears or disappears between two pages, one trip at the start of a page may be repeated or
   * missing.
   */
  async *trips(driverId: string, startDate: string, options?: CallOptions): AsyncGenerator<Trip, void, undefined> {
    const requestOf = (page: number) =>
      requestTo('/api/v1/driver/{driver_id}/trips', {
        path: { driver_id: driverId },
        query: { start_date: startDate, page, limit: MAX_PAGE_SIZE },
      });
    for await (const { trips } of this.#pages(requestOf, options)) yield* trips;
  }

  /** A trip with its path and its trip events. */
  async trip(tripId: string, options?: CallOptions): Promise<TripDetail> {
    const request = requestTo('/api/v1/trip/trip_id/{trip_id}', { path: { trip_id: tripId } });
    const [trip] = (await this.send(request, options)).trips;
    if (trip === undefined) {
      const failure = { code: 'unexpected_response', status: 200, retryAfterSeconds: null } as const;
      throw new MilepostError(failure, `${this.#baseUrl} responded to ${request.address} without a trip.`);
    }
    return trip;
  }

  /** All trips with the given tracking id, ordered by start time and loaded page by page. */
  async *trackedTrips(trackingId: string, options?: CallOptions): AsyncGenerator<TripDetail, void, undefined> {
    const requestOf = (page: number) =>
      requestTo('/api/v1/trip/tracking_id/{tracking_id}', { path: { tracking_id: trackingId }, query: { page } });
    for await (const { trips } of this.#pages(requestOf, options)) yield* trips;
  }

  /** The summaries of 1 to 20 drivers for a day (YYYY-MM-DD, UTC), in the order of `driverIds`. */
  async dailySummaries(
    date: string,
    driverIds: readonly string[],
    options?: CallOptions,
  ): Promise<DailyDriverSummary[]> {
    const query = { start_date: date, driver_id: [...driverIds] };
    return (await this.send(requestTo('/api/v1/driver-aggregate/daily', { query }), options)).data;
  }

  /**
   * The summaries of 1 to 20 drivers for the week that starts on the given Monday (YYYY-MM-DD, UTC), in the order of
   * `driverIds`.
   */
  async weeklySummaries(
    monday: string,
    driverIds: readonly string[],
    options?: CallOptions,
  ): Promise<WeeklyDriverSummary[]> {
    const query = { start_date: monday, driver_id: [...driverIds] };
    return (await this.send(requestTo('/api/v1/driver-aggregate/weekly', { query }), options)).data;
  }

  /**
   * Sends a request and repeats it after temporary failures.
   *
   * @throws MilepostError if the call fails; the signal's reason if the caller aborts the call
   */
  async send<Path extends ReportPath>(
    { address }: ReportRequest<Path>,
    { signal }: CallOptions = {},
  ): Promise<AnswerOf<Path>> {
    const endsAt = performance.now() + this.#maxTotalMilliseconds;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt<Path>(address, endsAt - performance.now(), signal);
      } catch (error) {
        if (!(error instanceof MilepostError) || !error.isTransient || retries === this.#maxRetries) throw error;
        const { failure } = error;
        const retryAfterSeconds = 'status' in failure ? failure.retryAfterSeconds : null;
        const delay = retryDelayMilliseconds(retries, retryAfterSeconds, Math.random());
        if (performance.now() + delay >= endsAt) throw error;
        await waitFor(delay, signal);
      }
    }
  }

  async *#pages<Path extends PagePath>(requestOf: (page: number) => ReportRequest<Path>, options?: CallOptions) {
    for (let page: number | null = 1; page !== null; ) {
      const answer: AnswerOf<Path> = await this.send(requestOf(page), options);
      yield answer;
      page = answer.next_page;
    }
  }

  async #attempt<Path extends ReportPath>(
    address: string,
    remainingMilliseconds: number,
    signal: AbortSignal | undefined,
  ): Promise<AnswerOf<Path>> {
    const cached = this.#cache.get(address);
    // Node accepts only whole milliseconds.
    const timeoutMilliseconds = Math.ceil(Math.max(Math.min(this.#timeoutMilliseconds, remainingMilliseconds), 1));
    const timeout = AbortSignal.timeout(timeoutMilliseconds);
    const headers = { ...this.#headers, ...(cached && { 'if-none-match': cached.tag }) };
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#baseUrl + address, {
        headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      if (timeout.aborted) {
        throw new MilepostError({ code: 'timed_out' }, `${this.#baseUrl} did not respond in time.`, { cause });
      }
      throw new MilepostError({ code: 'unreachable' }, `${this.#baseUrl} did not respond.`, { cause });
    }
    if (response.status === 304 && cached) return JSON.parse(cached.text);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (response.status !== 200 || !isJson) throw responseError(response, text);
    let answer: AnswerOf<Path>;
    try {
      answer = JSON.parse(text);
    } catch {
      throw responseError(response, text);
    }
    const tag = response.headers.get('etag');
    if (tag !== null) this.#cache.set(address, { tag, text });
    return answer;
  }
}
