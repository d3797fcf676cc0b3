import { flagOf, namesInPath, type Operation } from '@milepost/operations/operation';
import { operatorToken } from '../config.ts';
import { UsageError } from '../failure.ts';
import { operatingSystemUser } from '../operator.ts';
import type { Client } from './client.ts';

const STATUSES = [200, 201, 202, 204] as const;
const LONGEST_ANSWER_MILLISECONDS = 60_000;

function addressOf(server: string, { path, input: schema, method }: Operation, input: Record<string, unknown>): URL {
  const inPath = namesInPath(path);
  const filled = inPath.reduce((text, name) => text.replace(`:${name}`, encodeURIComponent(String(input[name]))), path);
  const url = new URL(`${server.replace(/\/$/, '')}${filled}`);
  if (method !== 'GET') return url;
  for (const name of Object.keys(schema.properties)) {
    if (!inPath.includes(name) && input[name] !== undefined) url.searchParams.set(name, String(input[name]));
  }
  return url;
}

function bodyOf({ path, method, input: schema }: Operation, input: Record<string, unknown>): string | null {
  const inPath = namesInPath(path);
  const names = Object.keys(schema.properties).filter((name) => !inPath.includes(name));
  if (method === 'GET' || names.length === 0) return null;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, input[name]])));
}

interface ProblemDetails {
  detail: string;
  errors?: { parameter: string; message: string }[];
}

function isProblem(value: unknown): value is ProblemDetails {
  return typeof value === 'object' && value !== null && 'detail' in value && typeof value.detail === 'string';
}

/** The error that an answer other than 2xx stands for. */
async function failureOf(answer: Response, server: string): Promise<Error> {
  const problem: unknown = await answer.json().catch(() => null);
  if (!isProblem(problem))
    return new Error(`${server} answers ${answer.status}: is it the operators' API of Milepost?`);
  if (answer.status === 400 && problem.errors) {
    return new UsageError(problem.errors.map(({ parameter, message }) => `${flagOf(parameter)}: ${message}`).join(' '));
  }
  return new Error(problem.detail);
}

/** A client of a running operators' API. The token comes from the settings, the actor is the operating system's user. */
export function openRemote(server: string): Client {
  const token = operatorToken();
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new UsageError(`--server must be an address such as http://127.0.0.1:3001, and is "${server}".`);
  }
  if (token === undefined) throw new UsageError('--server needs the token of the operators in OPS_TOKEN.');
  const headers = {
    authorization: `Bearer ${token}`,
    // A header is sent byte by byte, and the API reads these bytes as UTF-8.
    'milepost-operator': Buffer.from(operatingSystemUser(), 'utf8').toString('latin1'),
    'milepost-mention': 'command',
  };
  return {
    async call(operation, input) {
      const body = bodyOf(operation, input);
      const request = {
        method: operation.method,
        headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
        body,
        signal: AbortSignal.timeout(LONGEST_ANSWER_MILLISECONDS),
      };
      const answer = await fetch(addressOf(server, operation, input), request).catch((error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        throw new Error(`${server} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`);
      });
      if (!answer.ok) throw await failureOf(answer, server);
      const status = STATUSES.find((each) => each === answer.status) ?? 200;
      return { status, answer: JSON.parse(status === 204 ? 'null' : await answer.text()) };
    },
    async [Symbol.asyncDispose]() {},
  };
}
