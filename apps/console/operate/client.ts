import type { FilterKeys, PathsWithMethod, RequiredKeysOf, SuccessResponseJSON } from 'openapi-typescript-helpers';
import { readFailure, responseError, unreachableError } from '../shared/failure.ts';
import type { GetRequest } from '../shared/get-request.ts';
import { serverAddress } from '../shared/server-settings.ts';
import { key, signOut } from '../shared/session.ts';
import type { paths } from './openapi.d.ts';
import { headerText, operator } from './operator.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
type Operation<Path extends keyof paths, Used extends Method> = FilterKeys<paths[Path], Used>;
/** The parameters of an operation and, if it has one, its body. */
type InputOf<Operation> = Operation extends { parameters: infer Parameters extends { path?: unknown; query?: unknown } }
  ? Pick<Parameters, 'path' | 'query'> &
      (Operation extends { requestBody: { content: { 'application/json': infer Body } } } ? { body: Body } : unknown)
  : never;
/** An operation's input, which may be omitted if nothing in it is required. */
type Arguments<Input> = RequiredKeysOf<Input> extends never ? [input?: Input] : [input: Input];
/** The body of a successful response; undefined if it has none. */
type AnswerOf<Operation> = Operation extends Record<string, unknown> ? SuccessResponseJSON<Operation> : never;

interface Input {
  path?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Returns a path with its parameters and the query string. */
function addressOf(path: string, { path: inPath, query }: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Object(inPath)[name])));
  const parameters = Object.entries<unknown>(Object(query)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`;
}

const bearer = (token: string) => `Bearer ${token}`;

/** Sends a request as the operator and resolves to its response, whatever the status. */
export async function open(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers({ authorization: bearer(key.value ?? '') });
  if (operator.value !== '') headers.set('milepost-operator', headerText(operator.value));
  if (init.body) headers.set('content-type', 'application/json');
  const response = await fetch(`${serverAddress()}${address}`, { ...init, headers });
  if (response.status === 401) {
    const problem: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    // The first response with status 401 signs the reader out, which aborts the other requests and leaves their bodies
    // incomplete.
    if (key.value !== null) signOut(readFailure(401, problem).detail);
  }
  return response;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a request and resolves to the body of the response; undefined if the response is successful without a body.
 *
 * @throws RequestError if there is no response, or if it is unsuccessful or not JSON; the signal's reason if the request
 *   was aborted
 */
async function send(address: string, init: RequestInit): Promise<unknown> {
  const receive = async () => {
    const response = await open(address, init);
    return { response, body: parsed(await response.text()) };
  };
  const { response, body } = await receive().catch((error: unknown) => {
    // fetch throws a TypeError if the service cannot be reached, or if the connection is lost.
    throw error instanceof TypeError ? unreachableError() : error;
  });
  const { ok, status, headers } = response;
  if (!ok || (body === undefined && status !== 204)) throw responseError(status, headers.get('retry-after'), body);
  return body;
}

/**
 * Returns two functions: `get` creates a GET request, and `change` sends another request.
 *
 * @param beginning returns the beginning of every path; the paths in the types do not contain it
 */
export function createApi(beginning: () => string) {
  function get<Path extends PathsWithMethod<paths, 'get'>>(
    path: Path,
    ...input: Arguments<InputOf<Operation<Path, 'get'>>>
  ): GetRequest<AnswerOf<Operation<Path, 'get'>>>;
  function get(path: string, input: Input = {}): GetRequest<unknown> {
    const address = `${beginning()}${addressOf(path, input)}`;
    const queryFn = async ({ signal }: { signal: AbortSignal }) => await send(address, { signal });
    return { address, authorization: bearer('$OPS_TOKEN'), queryKey: [path, address], queryFn };
  }
  function change<Used extends Exclude<Method, 'get'>, Path extends PathsWithMethod<paths, Used>>(
    method: Used,
    path: Path,
    ...input: Arguments<InputOf<Operation<Path, Used>>>
  ): Promise<AnswerOf<Operation<Path, Used>>>;
  async function change(method: Method, path: string, input: Input = {}): Promise<unknown> {
    const body = input.body === undefined ? null : JSON.stringify(input.body);
    return await send(`${beginning()}${addressOf(path, input)}`, { method, body });
  }
  return { get, change };
}
