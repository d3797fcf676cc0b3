import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The one fleet that the request may see: that of its API key. */
    fleetId: string;
  }
}

/** The scheme's word is case-insensitive (RFC 9110). */
const AUTHORIZATION = /^APIKEY +([^\s]+)$/i;

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'APIKEY' } });
}

/** Lets only requests with a valid API key through, and gives them their `fleetId`. */
export function authenticate(app: FastifyInstance, findFleet: (key: string) => Promise<string | null>): void {
  app.decorateRequest('fleetId', '');
  app.addHook('onRequest', async (request) => {
    const [, key] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      throw unauthorized('There must be one header Authorization: "APIKEY" and an API key, as in "APIKEY mp_...".');
    }
    const fleetId = await findFleet(key);
    if (fleetId === null) throw unauthorized('The API key is unknown or revoked.');
    request.fleetId = fleetId;
  });
}
