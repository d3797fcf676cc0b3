import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import { causeOf, type Environment, MAX_PORT, readSettings, type SettingName, type Settings } from '@milepost/service';

const FILES = { ca: 'KAFKA_SSL_CA_FILE', cert: 'KAFKA_SSL_CERT_FILE', key: 'KAFKA_SSL_KEY_FILE' } as const;
type FileSetting = (typeof FILES)[keyof typeof FILES];

function readFile(settings: Settings, name: FileSetting): string | undefined {
  const path = settings.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return settings.refuse(name, `${name} must name a file that this process can read: ${causeOf(error)}.`);
  }
}

function checkCertificate(settings: Settings, name: FileSetting, text: string | undefined): void {
  if (text === undefined) return;
  try {
    new X509Certificate(text);
  } catch {
    settings.refuse(
      name,
      `${name} must name a certificate in PEM format (-----BEGIN CERTIFICATE-----), not a keystore.`,
    );
  }
}

/** Returns false and rejects the missing setting if only one of two settings is set. */
function expectBoth(settings: Settings, one: SettingName, other: SettingName): boolean {
  if (settings.has(one) === settings.has(other)) return true;
  const missing = settings.has(one) ? other : one;
  settings.refuse(missing, `${one} and ${other} belong together: set both or neither.`);
  return false;
}

/** Rejects a key that is encrypted, is not in PEM format, or belongs to another certificate. */
function checkKey(settings: Settings, cert: string | undefined, key: string | undefined): void {
  if (cert === undefined || key === undefined) return;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const rule = 'must name the private key of KAFKA_SSL_CERT_FILE, in PEM format without a passphrase';
    settings.refuse(FILES.key, `${FILES.key} ${rule}: ${causeOf(error)}.`);
  }
}

/**
 * Reads whether connections use TLS. Returns false, true, or the contents of the PEM files for the brokers' CA
 * certificate and for this client's certificate and key.
 */
function readTls(settings: Settings) {
  const isOn = settings.get('KAFKA_SSL') === 'true';
  const ca = readFile(settings, FILES.ca);
  const cert = readFile(settings, FILES.cert);
  const key = readFile(settings, FILES.key);
  const given = Object.values(FILES).filter((name) => settings.has(name));
  const [first] = given;
  if (first === undefined) return isOn;
  if (!isOn) settings.refuse(first, `${first} needs KAFKA_SSL=true.`);
  expectBoth(settings, FILES.cert, FILES.key);
  checkCertificate(settings, FILES.ca, ca);
  checkCertificate(settings, FILES.cert, cert);
  checkKey(settings, cert, key);
  return { ca, cert, key };
}

const LOGIN = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;
const OAUTH: readonly SettingName[] = [
  'KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_ID',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET',
];
const ANY_OAUTH: readonly SettingName[] = [
  ...OAUTH,
  'KAFKA_SASL_OAUTHBEARER_SCOPE',
  'KAFKA_SASL_OAUTHBEARER_EXTENSIONS',
];

/** Reads the login; null if there is none. Checks that the mechanism has all of its settings and no others. */
function readSasl(settings: Settings) {
  const mechanism = settings.get('KAFKA_SASL_MECHANISM');
  const username = settings.get('KAFKA_SASL_USERNAME');
  const password = settings.get('KAFKA_SASL_PASSWORD');
  // The client credentials with which an OAuth server issues tokens (RFC 6749, section 4.4).
  const oauth = {
    tokenEndpoint: settings.get('KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL'),
    clientId: settings.get('KAFKA_SASL_OAUTHBEARER_CLIENT_ID'),
    clientSecret: settings.get('KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET'),
    scope: settings.get('KAFKA_SASL_OAUTHBEARER_SCOPE'),
    /** SASL extensions, which are sent to the broker with the token (RFC 7628, section 3.1). */
    extensions: settings.get('KAFKA_SASL_OAUTHBEARER_EXTENSIONS') ?? {},
  };
  const expectNone = (names: readonly SettingName[]) => {
    const found = names.find((name) => settings.has(name));
    if (found !== undefined) settings.refuse(found, `${found} cannot be used with KAFKA_SASL_MECHANISM=${mechanism}.`);
  };
  const expectAll = (names: readonly SettingName[]) => {
    const missing = names.filter((name) => !settings.has(name));
    const [first] = missing;
    const rule = `KAFKA_SASL_MECHANISM=${mechanism} also needs ${missing.join(' and ')}.`;
    if (first !== undefined) settings.refuse(first, rule);
  };
  if (mechanism === 'oauthbearer') {
    expectAll(OAUTH);
    expectNone(LOGIN);
    return { mechanism, ...oauth };
  }
  expectNone(ANY_OAUTH);
  const isComplete = expectBoth(settings, ...LOGIN);
  if (isComplete && settings.has('KAFKA_SASL_MECHANISM') && !ANY_OAUTH.some((name) => settings.has(name))) {
    expectAll(LOGIN);
  }
  return username === '' ? null : { mechanism, username, password };
}

const ADDRESS = /^(?:([a-z_]+):\/\/)?(\[[0-9a-f:.]+\]|[^\s,:/[\]]+):(\d{1,5})$/i;

/** Returns `host:port`, without the protocol; null when the address is invalid. */
function parseBroker(text: string): { broker: string; protocol: string | null } | null {
  const [, protocol = null, host = '', port = ''] = ADDRESS.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : host !== '';
  if (!isHost || Number(port) < 1 || Number(port) > MAX_PORT) return null;
  return { broker: `${host}:${port}`, protocol: protocol?.toUpperCase() ?? null };
}

/**
 * Reads the brokers' addresses. Compares a prefix such as `SASL_SSL://` with the other settings and then removes it.
 *
 * @param connection whether the other settings ask for TLS and for a login
 */
function readBrokers(settings: Settings, connection: { tls: boolean; login: boolean }): string[] {
  const expected = `${connection.login ? 'SASL_' : ''}${connection.tls ? 'SSL' : 'PLAINTEXT'}`;
  const texts = settings.get('KAFKA_BROKERS').split(',');
  return texts.map((text) => {
    const parsed = parseBroker(text.trim());
    if (parsed === null) {
      const example = 'as host:port, separated by commas, with an IPv6 address in brackets ([::1]:9092)';
      settings.refuse('KAFKA_BROKERS', `KAFKA_BROKERS must name the brokers ${example}.`);
      return text;
    }
    if (parsed.protocol !== null && parsed.protocol !== expected) {
      const rule = `but KAFKA_SSL and KAFKA_SASL_* are set for ${expected}://: write host:port alone, or change them.`;
      settings.refuse('KAFKA_BROKERS', `KAFKA_BROKERS has the prefix ${parsed.protocol}://, ${rule}`);
    }
    return parsed.broker;
  });
}

/** Reads the brokers' addresses and the topics from the environment. Throws SettingError. */
export function readKafkaConfig(source: Environment | Settings = process.env) {
  return readSettings(source, (settings) => {
    const ssl = readTls(settings);
    const sasl = readSasl(settings);
    return {
      brokers: readBrokers(settings, { tls: ssl !== false, login: sasl !== null }),
      /** Whether connections use TLS, or the contents of the certificate files if there are any. */
      ssl,
      sasl,
      groupId: settings.get('KAFKA_GROUP_ID'),
      tripsTopic: settings.get('KAFKA_TRIPS_TOPIC'),
      driversTopic: settings.get('KAFKA_DRIVERS_TOPIC'),
      /** The time after which the group reassigns the partitions of a member that does not send heartbeats. */
      sessionTimeoutMilliseconds: settings.get('KAFKA_SESSION_TIMEOUT_MILLISECONDS'),
    };
  });
}

export type KafkaConfig = ReturnType<typeof readKafkaConfig>;
export type OauthConfig = Extract<KafkaConfig['sasl'], { mechanism: 'oauthbearer' }>;
