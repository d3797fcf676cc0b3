import { generateKeyPairSync, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { serveLocally } from '../../listen.ts';
import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import { startKafkaNode } from '../local/kafka.ts';
import { createAuthority } from './authority.ts';
import { kafkaSettings } from './settings.ts';

/** The name and password with which a client logs in. */
export const LOGIN = { username: 'alice', password: 'secret-of-alice' };
/** The token server's client. Its id is the principal in its tokens. */
export const CLIENT = { id: 'milepost-client', secret: 'secret-of-milepost' };
/** A session ends when its token expires, so a client that does not request a new token loses its connection. */
const TOKEN_SECONDS = 12;
const OAUTH_LOGIN = 'org.apache.kafka.common.security.oauthbearer';
const LOGINS = 'org.apache.kafka.common.security';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Starts an OAuth server that issues signed tokens to `CLIENT`, and serves the key for verifying them. */
async function startTokenServer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issued: string[] = [];
  const createToken = (scope: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: origin, aud: 'kafka', sub: CLIENT.id, scope, iat: now, exp: now + TOKEN_SECONDS };
    const signed = `${encoded({ alg: 'RS256', kid: 'test', typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const login = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
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
      answer(200, { access_token: createToken(scope), token_type: 'Bearer', expires_in: TOKEN_SECONDS });
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

/** Starts a broker that checks certificates, passwords, tokens and permissions. */
export async function startSecuredKafka() {
  return await startInDirectory('kafka-secrets', async (folder) => {
    const authority = createAuthority(folder);
    const broker = authority.sign('broker');
    const client = authority.sign('milepost');
    const tokens = await startTokenServer();
    const [controller = 0, plaintext = 0, ipv6 = 0, tls = 0, mutualTls = 0, login = 0, oauth = 0] = await freePorts(7);
    const address = {
      plaintext: `127.0.0.1:${plaintext}`,
      ipv6: `[::1]:${ipv6}`,
      tls: `127.0.0.1:${tls}`,
      mutualTls: `127.0.0.1:${mutualTls}`,
      login: `127.0.0.1:${login}`,
      oauth: `127.0.0.1:${oauth}`,
    };
    const listeners = Object.entries(address).map(([name, at]) => `${name.toUpperCase()}://${at}`);
    const protocols = 'IPV6:PLAINTEXT,TLS:SSL,MUTUALTLS:SSL,LOGIN:SASL_PLAINTEXT,OAUTH:SASL_PLAINTEXT';
    const oauthName = 'listener.name.oauth.oauthbearer';
    const settings = {
      ...kafkaSettings(plaintext, controller),
      listeners: [...listeners, `CONTROLLER://127.0.0.1:${controller}`].join(','),
      'advertised.listeners': listeners.join(','),
      'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,${protocols}`,
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': broker.pem,
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': authority.file,
      'listener.name.mutualtls.ssl.client.auth': 'required',
      'listener.name.login.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256',
      'listener.name.login.plain.sasl.jaas.config': `${LOGINS}.plain.PlainLoginModule required user_${LOGIN.username}="${LOGIN.password}";`,
      'listener.name.login.scram-sha-256.sasl.jaas.config': `${LOGINS}.scram.ScramLoginModule required;`,
      'listener.name.oauth.sasl.enabled.mechanisms': 'OAUTHBEARER',
      [`${oauthName}.sasl.jaas.config`]: `${OAUTH_LOGIN}.OAuthBearerLoginModule required;`,
      [`${oauthName}.sasl.server.callback.handler.class`]: `${OAUTH_LOGIN}.OAuthBearerValidatorCallbackHandler`,
      [`${oauthName}.sasl.oauthbearer.jwks.endpoint.url`]: tokens.keysEndpoint,
      [`${oauthName}.sasl.oauthbearer.expected.audience`]: 'kafka',
      [`${oauthName}.sasl.oauthbearer.expected.issuer`]: tokens.issuer,
      [`${oauthName}.connections.max.reauth.ms`]: String(TOKEN_SECONDS * 1_000),
    };
    const allowed = `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokens.keysEndpoint}`;
    const node = await startKafkaNode(settings, [allowed]).catch((error: unknown) => {
      tokens.close();
      throw error;
    });
    return {
      /** Each listener's address. Clients of `plaintext` are anonymous and have all permissions. */
      address,
      authority,
      /** The certificate for the principal `CN=milepost`. */
      client,
      tokens,
      stop: async () => {
        await node.stop();
        tokens.close();
      },
    };
  });
}
