import { flagOf, type Operation, placesOf } from '@milepost/operations/operation';
import { Action } from '@milepost/operations/schemas';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { operatorToken } from '../config.ts';
import { sentenceOf, UsageError } from '../failure.ts';
import { operatingSystemUser } from '../operator.ts';
import type { Client } from './client.ts';
import { withNext } from './command-line.ts';

const ANSWER_TIMEOUT_MILLISECONDS = 60_000;
const MAX_DOWNLOAD_MILLISECONDS = 600_000;

interface Remote {
  server: string;
  /** If undefined, the server determines the lane. */
  lane: number | undefined;
}

/** Returns the URL of a path on the server. The URL contains the lane, unless all lanes share the resource. */
function urlOf({ server, lane }: Remote, path: string, isShared = false): URL {
  return new URL(`${server.replace(/\/$/, '')}${lane === undefined || isShared ? '' : `/lanes/${lane}`}${path}`);
}

/** Returns the address and the JSON body of an operation's request. Without a body, the input is in the address. */
function partsOf(remote: Remote, operation: Operation, input: Record<string, unknown>) {
  const { inPath, inQuery, inBody } = placesOf(operation);
  const fill = (path: string, name: string) => path.replace(`:${name}`, encodeURIComponent(String(input[name])));
  const address = urlOf(remote, inPath.reduce(fill, operation.path), operation.shared);
  for (const name of inQuery) if (input[name] !== undefined) address.searchParams.set(name, String(input[name]));
  const body = Object.fromEntries(inBody.map((name) => [name, input[name]]));
  return { address, body: inBody.length === 0 ? null : JSON.stringify(body) };
}

const ProblemDetails = Type.Object({
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ parameter: Type.String(), message: Type.String() }))),
  next: Type.Optional(Type.Array(Action)),
});

async function failureOf(answer: Response, { server, lane }: Remote): Promise<Error> {
  const problem: unknown = await answer.json().catch(() => null);
  if (!Check(ProblemDetails, problem))
    return new Error(
      `${server} responded with status ${answer.status}, but does not seem to be Milepost's API for operators. Check the address.`,
    );
  if (answer.status === 400 && problem.errors) {
    return new UsageError(problem.errors.map(({ parameter, message }) => `${flagOf(parameter)}: ${message}`).join(' '));
  }
  return new Error(await withNext(problem.detail, problem.next ?? [], lane));
}

/**
 * Opens a client of a running operators' API, with the token from the settings. The actor is the operating system user.
 */
export function openRemote(server: string, lane?: number): Client {
  const remote = { server, lane };
  const token = operatorToken();
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new UsageError(`--server must be an address such as http://127.0.0.1:3001, not "${server}".`);
  }
  if (token === undefined) throw new UsageError("--server needs the operators' token in OPS_TOKEN.");
  const headers = {
    authorization: `Bearer ${token}`,
    // Node sends header values as Latin-1, but the API reads their bytes as UTF-8.
    'milepost-operator': Buffer.from(operatingSystemUser(), 'utf8').toString('latin1'),
  };
  async function ask(address: URL, request: RequestInit): Promise<Response> {
    const answer = await fetch(address, request).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw new Error(`${server} cannot be reached: ${sentenceOf(cause)}.`);
    });
    if (!answer.ok) throw await failureOf(answer, remote);
    return answer;
  }

  return {
    async call(operation, input) {
      const { address, body } = partsOf(remote, operation, input);
      const answer = await ask(address, {
        method: operation.method,
        headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
        body,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MILLISECONDS),
      });
      return { status: answer.status, answer: JSON.parse(answer.status === 204 ? 'null' : await answer.text()) };
    },
    inLane: (other) => openRemote(server, other),
    async *readRecord(id) {
      const address = urlOf(remote, `/dead-letters/${id}/record`);
      const { body } = await ask(address, { headers, signal: AbortSignal.timeout(MAX_DOWNLOAD_MILLISECONDS) });
      if (body !== null) yield* body;
    },
    async [Symbol.asyncDispose]() {},
  };
}
