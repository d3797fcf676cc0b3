/** A GET request, with the options of its query and with its address (path and query string) to show to the reader. */
export interface GetRequest<Data> {
  address: string;
  /** The path as in the OpenAPI document, and the address. */
  queryKey: readonly [path: string, address: string];
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
}
