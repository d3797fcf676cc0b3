import { effect } from '@preact/signals';
import { type Query, QueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { RequestError } from './failure.ts';
import { retryDelayMilliseconds } from './retry.ts';
import { key } from './session.ts';

declare module '@tanstack/preact-query' {
  interface Register {
    defaultError: RequestError;
    queryKey: readonly [path: string, ...rest: readonly unknown[]];
  }
}

function delayOf(failures: number, error: RequestError): number {
  return retryDelayMilliseconds(failures, error.transient?.retryAfter ?? null);
}

/**
 * Sends the requests from all views. Requests that fail temporarily are retried until they succeed. Data is dropped
 * when it is no longer used by any view.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      gcTime: 0,
      // Two parts of a view may share a request.
      staleTime: 1_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (_failures, error) => error instanceof RequestError && error.transient !== null,
      retryDelay: delayOf,
      // An error in the pages' own code is thrown, so that the view's boundary shows it.
      throwOnError: (error) => !(error instanceof RequestError),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// The next reader must not see data that only the previous key was allowed to read.
effect(() => {
  if (key.value === null) queryClient.clear();
});

/** A retried request. */
export interface Retry {
  reason: NonNullable<RequestError['transient']>['reason'];
  /** When the next attempt starts, in epoch milliseconds. */
  at: number;
}

function retryOf({ state }: Query<unknown, RequestError>): Retry[] {
  const { fetchStatus, fetchFailureReason: error, fetchFailureCount } = state;
  if (fetchStatus !== 'fetching' || !error?.transient) return [];
  return [{ reason: error.transient.reason, at: error.at + delayOf(fetchFailureCount - 1, error) }];
}

/** The pending retry that starts last; null if none is pending. */
export function useRetry(): Retry | null {
  const [retry, setRetry] = useState<Retry | null>(null);
  useEffect(() => {
    const cache = queryClient.getQueryCache();
    return cache.subscribe(() => {
      const retries = cache.getAll().flatMap((query) => retryOf(query));
      const next = retries.reduce<Retry | null>((last, one) => (last !== null && last.at >= one.at ? last : one), null);
      setRetry((before) => (before?.at === next?.at && before?.reason === next?.reason ? before : next));
    });
  }, []);
  return retry;
}
