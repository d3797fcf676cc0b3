import bearerAuth from '@fastify/bearer-auth';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems.ts';

const WRONG_TOKEN =
  'Send exactly one Authorization header: "Bearer", a space and the value of OPS_TOKEN. `npm start` stores this value in the file ops-token in its home directory (MILEPOST_HOME, by default .milepost).';

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}

/**
 * Refuses requests without the operators' token, which is compared in constant time. If no token is configured, all
 * requests are refused.
 */
export async function authenticateOperators(app: FastifyInstance, token: string | undefined): Promise<void> {
  if (token === undefined) {
    app.addHook('onRequest', async () => {
      throw unauthorized(
        'Nobody has access, because this process was started without a token: set OPS_TOKEN. `npm start` creates a token and stores it in the file ops-token in its home directory.',
      );
    });
    return;
  }
  // The `Bearer` scheme is case-insensitive (RFC 9110), but the plugin ignores case only with the `rfc6749` option.
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
