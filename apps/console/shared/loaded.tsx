import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import type { GetRequest } from './get-request.ts';
import { RequestPanel } from './request-panel.tsx';
import { QueryState } from './states.tsx';

interface LoadedProps<Data> {
  request: GetRequest<Data>;
  /** What is loading, such as `keys`. */
  what: string;
  /** Shows the data. */
  children: (data: Data) => ComponentChildren;
}

/** The data of a request, or a sign that it is loading, or why the request failed. Below it, the request itself. */
export function Loaded<Data>({ request, what, children }: LoadedProps<Data>) {
  const { data, error } = useQuery(request);
  return (
    <>
      <QueryState data={data} error={error} what={what} />
      {data !== undefined && children(data)}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
