import { generateKeyPairSync, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { serveLocally } from '../../listen.ts';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Starts an OAuth server with one client. It issues signed tokens for client credentials, and serves the key for
 * verifying them.
 *
 * @param lifetimeSeconds how long each token is valid
 */
export async function startTokenServer(client: { id: string; secret: string }, lifetimeSeconds: number) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issued: string[] = [];
  const createToken = (scope: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: origin, aud: 'kafka', sub: client.id, scope, iat: now, exp: now + lifetimeSeconds };
    const signed = `${encoded({ alg: 'RS256', kid: 'test', typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const login = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const { origin, close } = await serveLocally(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/keys') {
      answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }] });
    } else if (request.headers.authorization !== login || form.get('grant_type') !== 'client_credentials') {
      answer(401, { error: 'invalid_client' });
    } else {
      const scope = form.get('scope') ?? '';
      issued.push(scope);
      answer(200, { access_token: createToken(scope), token_type: 'Bearer', expires_in: lifetimeSeconds });
    }
  });
  return {
    tokenEndpoint: `${origin}/token`,
    keysEndpoint: `${origin}/keys`,
    issuer: origin,
    /** The scopes of all issued tokens, in order. */
    issued,
    close,
  };
}
