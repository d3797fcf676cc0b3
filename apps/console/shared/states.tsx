import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure, RequestError } from './failure.ts';
import { type Retry, useRetry } from './query-client.ts';

/** A placeholder, announced by screen readers, that is shown while data is loading. */
export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="bar" />
      <span class="bar" />
      <span class="bar" />
      <span class="text">Loading {what} …</span>
    </div>
  );
}

/** Explains in a paragraph why there is no data to show. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  not_found: 'Not found',
  invalid: 'The service rejected this request',
  unauthorized: 'The service rejected the key',
  broken: 'Something went wrong',
};

/** Shows why a request failed, in the words of the service. */
export function FailureView({ failure, children }: { failure: Failure; children?: ComponentChildren }) {
  return (
    <div class="state failure" role="alert">
      <h2>{TITLES[failure.kind]}</h2>
      <p>{failure.detail}</p>
      {failure.faults.length > 0 && (
        <ul>
          {failure.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {children}
      {failure.request_id !== null && (
        <p class="quiet">
          Request <code>{failure.request_id}</code>
        </p>
      )}
    </div>
  );
}

interface QueryStateProps {
  data: unknown;
  error: RequestError | null;
  /** What is loading, such as `keys`. */
  what: string;
}

/** Shows that a query's data is loading, or why the query failed. */
export function QueryState({ data, error, what }: QueryStateProps) {
  if (error) return <FailureView failure={error.failure} />;
  return data === undefined ? <Loading what={what} /> : null;
}

const REASONS: Readonly<Record<Retry['reason'], string>> = {
  rate_limited: 'The request limit for this minute has been reached.',
  unavailable: 'The service cannot read its data at the moment.',
  unreachable: 'The service cannot be reached.',
};

function secondsUntil(at: number): number {
  return Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** Shows why requests are retried and when. */
export function RetryNotice() {
  const retry = useRetry();
  const [, setTick] = useState(0);
  useEffect(() => {
    if (retry === null) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <div role="status" class="notice">
      {retry !== null && (
        <p>
          {REASONS[retry.reason]} <span aria-hidden="true">Next attempt in {secondsUntil(retry.at)} s.</span>
        </p>
      )}
    </div>
  );
}
