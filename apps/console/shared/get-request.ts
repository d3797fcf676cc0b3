/** A GET request: the query's options, and what the request panel shows to the reader. */
export interface GetRequest<Data> {
  /** The path and the query string. */
  address: string;
  /** The `Authorization` header, with a shell variable in place of the key or token. */
  authorization: string;
  /** The path as it is in the OpenAPI document, and the address. */
  queryKey: readonly [path: string, address: string];
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
}
