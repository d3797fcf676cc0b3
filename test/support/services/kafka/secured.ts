import { removeDirectory, temporaryDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import { startKafkaNode } from '../local/kafka.ts';
import { createAuthority } from './authority.ts';
import { kafkaSettings } from './settings.ts';
import { startTokenServer } from './token-server.ts';

/** The name and password with which a client logs in. */
export const LOGIN = { username: 'alice', password: 'secret-of-alice' };
/** The token server's client. Its id is the principal in its tokens. */
export const CLIENT = { id: 'milepost-client', secret: 'secret-of-milepost' };
/** A session ends when its token expires, so a client that does not request a new token loses its connection. */
const TOKEN_SECONDS = 12;
const OAUTH_LOGIN = 'org.apache.kafka.common.security.oauthbearer';
const LOGINS = 'org.apache.kafka.common.security';

/** Starts a broker that checks certificates, passwords, tokens and permissions. */
export async function startSecuredKafka() {
  const folder = await temporaryDirectory('kafka-secrets');
  const authority = createAuthority(folder);
  const broker = authority.sign('broker');
  const client = authority.sign('milepost');
  const tokens = await startTokenServer(CLIENT, TOKEN_SECONDS);
  const [controller = 0, plain = 0, ipv6 = 0, tls = 0, mutualTls = 0, login = 0, oauth = 0] = await freePorts(7);
  const listeners = [
    `PLAINTEXT://127.0.0.1:${plain}`,
    `IPV6://[::1]:${ipv6}`,
    `TLS://127.0.0.1:${tls}`,
    `MUTUAL://127.0.0.1:${mutualTls}`,
    `LOGIN://127.0.0.1:${login}`,
    `OAUTH://127.0.0.1:${oauth}`,
  ].join(',');
  const protocols = 'IPV6:PLAINTEXT,TLS:SSL,MUTUAL:SSL,LOGIN:SASL_PLAINTEXT,OAUTH:SASL_PLAINTEXT';
  const oauthName = 'listener.name.oauth.oauthbearer';
  const settings = {
    ...kafkaSettings('', { broker: plain, controller }, '127.0.0.1'),
    listeners: `${listeners},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': listeners,
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,${protocols}`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': broker.pem,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': authority.file,
    'listener.name.mutual.ssl.client.auth': 'required',
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
  const close = async () => {
    tokens.close();
    await removeDirectory(folder);
  };
  const allowed = `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokens.keysEndpoint}`;
  const node = await startKafkaNode(settings, [allowed]).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    /** Each listener's address. Clients of `plain` are anonymous and have all permissions. */
    address: {
      plain: `127.0.0.1:${plain}`,
      ipv6: `[::1]:${ipv6}`,
      tls: `127.0.0.1:${tls}`,
      mutualTls: `127.0.0.1:${mutualTls}`,
      login: `127.0.0.1:${login}`,
      oauth: `127.0.0.1:${oauth}`,
    },
    authority,
    /** The certificate for the principal `CN=milepost`. */
    client,
    tokens,
    stop: async () => {
      await node.stop();
      await close();
    },
  };
}
