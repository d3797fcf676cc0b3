import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';

/** What a server says: `data` with success, `error` without. */
export interface Reply<Answer> {
  data?: Answer;
  error?: unknown;
  response: Response;
}

/** A request that a view asks, and shows to whoever wants to ask it too. */
export interface Question<Answer> {
  /** Path and query as they go over the wire. Two questions with one address are the same. */
  address: string;
  ask: (signal: AbortSignal) => Promise<Reply<Answer>>;
}

const querySerializer = createQuerySerializer();

/**
 * Makes a question of an endpoint's path, as the OpenAPI document has it, and its parameters.
 *
 * @param ask sends the same request through the typed client
 */
export function question<Answer>(
  path: string,
  params: { path?: Record<string, unknown>; query?: Record<string, unknown> },
  ask: Question<Answer>['ask'],
): Question<Answer> {
  const address = createFinalURL(path, { baseUrl: '', params, querySerializer, pathSerializer: defaultPathSerializer });
  return { address, ask };
}
