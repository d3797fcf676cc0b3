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

/** The type of the data that a function's request resolves to. */
export type DataOf<Create extends (...parameters: never[]) => GetRequest<unknown>> =
  ReturnType<Create> extends GetRequest<infer Data> ? Data : never;

/** A response as openapi-fetch returns it. */
export interface Reply<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * The options of a request, required if the path requires parameters. This type is copied, because openapi-fetch does
 * not export it.
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
 * @throws RequestError if there is no reply or it is not successful; the signal's reason after an abort
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
 * Returns functions that create the client of a server and its GET requests.
 *
 * @param headers returns the headers of every request
 * @param beginning returns the beginning of every path, which the paths in the types do not contain
 */
export function createApi<Paths extends { [Path in keyof Paths]: { get?: unknown } }>(
  headers: () => Record<string, string>,
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
      // The first refused response signs the reader out and aborts the other requests, whose bodies are then
      // incomplete.
      if (key.value !== null) signOut(readFailure(401, problem).detail);
    },
  };
  // The generic `init` below accepts no further options, so each abort signal has its own client.
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
