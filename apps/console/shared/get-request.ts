/** A GET request: the query's options, and the address (path and query string) to show to the reader. */
export interface GetRequest<Data> {
  address: string;
  /** The path as written in the OpenAPI document, followed by the address. */
  queryKey: readonly [path: string, address: string];
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
}
