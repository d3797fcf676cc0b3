import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { serveLocally } from './listen.ts';

interface SeenRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** When the request arrived, in milliseconds on a monotonic clock. */
  at: number;
}

/**
 * Starts a server that responds to the first request with the list's first element, and so on. The last element is
 * repeated.
 */
export async function startScriptedServer(answers: readonly ((response: ServerResponse) => void)[]) {
  const seen: SeenRequest[] = [];
  const { origin, close } = await serveLocally(({ url = '', headers }, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push({ url, headers, at: performance.now() });
    answer?.(response);
  });
  return { origin, seen, close };
}
