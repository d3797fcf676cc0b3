import createClient, {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type MaybeOptionalInit,
  type Middleware,
} from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { type RequestError, readFailure, responseError, unreachableError } from '../shared/failure.ts';
import type { GetRequest } from '../shared/get-request.ts';
import { serverAddress } from '../shared/server-settings.ts';
import { key, signOut } from '../shared/session.ts';

/** The type of the data in the response to a request, given the type of the function that creates the request. */
export type DataOf<Create extends (...parameters: never[]) => GetRequest<unknown>> =
  ReturnType<Create> extends GetRequest<infer Data> ? Data : never;

/** A response as openapi-fetch returns it. */
export interface Reply<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * The options for a request, which are required if the path requires parameters. This type is a copy, because
 * openapi-fetch does not export it.
 */
type InitParam<Init> =
  RequiredKeysOf<Init> extends never ? [(Init & { [key: string]: unknown })?] : [Init & { [key: string]: unknown }];

interface RequestParameters {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
}

const querySerializer = createQuerySerializer();

function addressOf(path: string, [init]: readonly (RequestParameters | undefined)[]): string {
  const params = init?.params ?? {};
  return createFinalURL(path, { baseUrl: '', params, querySerializer, pathSerializer: defaultPathSerializer });
}

function errorOf({ status, headers }: Response, problem: unknown): RequestError {
  return responseError(status, headers.get('retry-after'), problem);
}

/**
 * Resolves to a successful reply.
 *
 * @throws RequestError if there is no reply or it is not successful; the signal's reason if the request was aborted
 */
export async function successful<Data>(request: Promise<Reply<Data>>): Promise<Reply<Data>> {
  const reply = await request.catch((error: unknown) => {
    // fetch throws a TypeError if the service cannot be reached, or if the connection is lost.
    throw error instanceof TypeError ? unreachableError() : error;
  });
  if (!reply.response.ok) throw errorOf(reply.response, reply.error);
  return reply;
}

/**
 * Returns two functions: one creates a client for a server, and the other creates that client's GET requests.
 *
 * @param headers returns the headers for every request
 * @param authorization the `Authorization` header, with a shell variable in place of the token
 * @param beginning returns the beginning of every path; the paths in the types do not contain it
 */
export function createApi<Paths extends { [Path in keyof Paths]: { get?: unknown } }>(
  headers: () => Record<string, string>,
  authorization: string,
  beginning: () => string,
) {
  const middleware: Middleware = {
    onRequest({ request }) {
      for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
    },
    async onResponse({ response }) {
      if (response.status !== 401) return;
      const problem: unknown = await response
        .clone()
        .json()
        .catch(() => null);
      // The first response with status 401 signs the reader out, which aborts the other requests and leaves their
      // bodies incomplete.
      if (key.value !== null) signOut(readFailure(401, problem).detail);
    },
  };
  // The generic `init` below does not accept other options, so each abort signal needs its own client.
  const open = (signal: AbortSignal | null, prefix = beginning()) => {
    const client = createClient<Paths>({ baseUrl: `${serverAddress()}${prefix}`, signal });
    client.use(middleware);
    return client;
  };
  const get = <
    Path extends PathsWithMethod<Paths, 'get'> & string,
    Init extends MaybeOptionalInit<Paths[Path], 'get' & keyof Paths[Path]>,
  >(
    path: Path,
    ...init: InitParam<Init>
  ) => {
    const prefix = beginning();
    const address = `${prefix}${addressOf(path, init)}`;
    return {
      address,
      authorization,
      queryKey: [path, address] as const,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { data, response } = await successful(open(signal, prefix).GET<Path, Init>(path, ...init));
        if (data === undefined) throw errorOf(response, null);
        return data;
      },
    };
  };
  return { client: () => open(null), get };
}
