import type { Server, ServerResponse } from 'node:http';

/** Returns a server's responses that have not been completely sent yet, in the order of their requests. */
export function pendingResponses(server: Server): ReadonlySet<ServerResponse> {
  const pending = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  return pending;
}
