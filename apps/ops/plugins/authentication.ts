import bearerAuth from '@fastify/bearer-auth';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems.ts';

const WRONG_TOKEN =
  'There must be one header Authorization: "Bearer" and the value of OPS_TOKEN, which `npm start` keeps in the file ops-token of its home (MILEPOST_HOME, else .milepost).';

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Lets only requests with the operators' token through; it is compared in constant time. Without a token, none. */
export async function authenticateOperators(app: FastifyInstance, token: string | undefined): Promise<void> {
  if (token === undefined) {
    app.addHook('onRequest', async () => {
      throw unauthorized(
        'Nobody has access, because this process was started without a token: set OPS_TOKEN; `npm start` makes one and keeps it in the file ops-token of its home.',
      );
    });
    return;
  }
  // The scheme's word is case-insensitive (RFC 9110), which the plugin knows under this name.
  await app.register(bearerAuth, { keys: [token], addHook: false, specCompliance: 'rfc6749' });
  app.addHook('onRequest', (request, reply, done) => {
    const { verifyBearerAuth } = app;
    if (verifyBearerAuth === undefined) throw new Error('The plugin for bearer tokens was not registered.');
    verifyBearerAuth(request, reply, (error) => {
      if (error === undefined) done();
      else done(unauthorized(WRONG_TOKEN));
    });
  });
}
