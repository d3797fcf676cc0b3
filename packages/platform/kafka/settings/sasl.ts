import { type Environment, optionalText, refuse, type SettingName } from '@milepost/service';

const PASSWORD_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const MECHANISMS = [...PASSWORD_MECHANISMS, 'oauthbearer'] as const;

/** The client credentials with which an OAuth server issues tokens (RFC 6749, section 4.4). */
export interface OauthConfig {
  mechanism: 'oauthbearer';
  tokenEndpoint: string;
  clientId: string;
  clientSecret: string;
  scope: string | undefined;
  /** SASL extensions, which are sent to the broker with the token (RFC 7628, section 3.1). */
  extensions: Record<string, string>;
}

interface PasswordConfig {
  mechanism: (typeof PASSWORD_MECHANISMS)[number];
  username: string;
  password: string;
}

export type SaslConfig = PasswordConfig | OauthConfig;

const LOGIN = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;
const OAUTH = [
  'KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_ID',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET',
] as const;
const OPTIONAL_OAUTH = ['KAFKA_SASL_OAUTHBEARER_SCOPE', 'KAFKA_SASL_OAUTHBEARER_EXTENSIONS'] as const;

function readMechanism(environment: Environment): (typeof MECHANISMS)[number] {
  const text = optionalText(environment, 'KAFKA_SASL_MECHANISM') ?? 'plain';
  const mechanism = MECHANISMS.find((candidate) => candidate === text.toLowerCase());
  if (mechanism === undefined) {
    refuse('KAFKA_SASL_MECHANISM', `KAFKA_SASL_MECHANISM must be one of ${MECHANISMS.join(', ')}, and is "${text}".`);
  }
  return mechanism ?? 'plain';
}

/** Refuses an address that is not an HTTP URL. The message omits the address, because it may contain a password. */
function readEndpoint(environment: Environment): string {
  const [name] = OAUTH;
  const text = optionalText(environment, name) ?? '';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (text !== '' && (!isHttp || url?.username !== '' || url.password !== '')) {
    refuse(name, `${name} must be an address such as https://login.example.com/oauth2/token, without a login.`);
  }
  return text;
}

/** An extension: a name made of letters, and a value made of printable characters. */
const EXTENSION = /^([A-Za-z]+)=([\x21-\x7e]+)$/;

function readExtensions(environment: Environment): Record<string, string> {
  const [, name] = OPTIONAL_OAUTH;
  const text = optionalText(environment, name);
  const parts = text?.split(',').map((part) => EXTENSION.exec(part.trim())) ?? [];
  return Object.fromEntries(
    parts.map((part) => {
      const [, key = '', value = ''] = part ?? [];
      // RFC 7628 reserves "auth" for the token.
      if (part === null || key === 'auth') {
        refuse(name, `${name} must be pairs such as logicalCluster=lkc-1, separated by commas.`);
      }
      return [key, value];
    }),
  );
}

/** Refuses the settings of `names` that are missing, because the mechanism needs all of them. */
function expectAll(given: ReadonlySet<SettingName>, names: readonly SettingName[], mechanism: string): void {
  const missing = names.filter((name) => !given.has(name));
  const [first] = missing;
  if (first !== undefined) refuse(first, `KAFKA_SASL_MECHANISM=${mechanism} also needs ${missing.join(' and ')}.`);
}

function expectNone(given: ReadonlySet<SettingName>, names: readonly SettingName[], mechanism: string): void {
  const found = names.find((name) => given.has(name));
  if (found !== undefined) refuse(found, `${found} does not belong to KAFKA_SASL_MECHANISM=${mechanism}.`);
}

/** Reads the login; null when there is none. Throws SettingError. */
export function readSasl(environment: Environment): SaslConfig | null {
  const mechanism = readMechanism(environment);
  const username = optionalText(environment, 'KAFKA_SASL_USERNAME') ?? '';
  const password = optionalText(environment, 'KAFKA_SASL_PASSWORD') ?? '';
  const oauth = {
    tokenEndpoint: readEndpoint(environment),
    clientId: optionalText(environment, 'KAFKA_SASL_OAUTHBEARER_CLIENT_ID') ?? '',
    clientSecret: optionalText(environment, 'KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET') ?? '',
    scope: optionalText(environment, 'KAFKA_SASL_OAUTHBEARER_SCOPE'),
    extensions: readExtensions(environment),
  };
  const names: readonly SettingName[] = [...LOGIN, ...OAUTH, ...OPTIONAL_OAUTH];
  const given = new Set(names.filter((name) => optionalText(environment, name) !== undefined));
  if (mechanism === 'oauthbearer') {
    expectAll(given, OAUTH, mechanism);
    expectNone(given, LOGIN, mechanism);
    return { mechanism, ...oauth };
  }
  const isNamed = optionalText(environment, 'KAFKA_SASL_MECHANISM') !== undefined;
  expectNone(given, [...OAUTH, ...OPTIONAL_OAUTH], mechanism);
  if (given.has('KAFKA_SASL_USERNAME') !== given.has('KAFKA_SASL_PASSWORD')) {
    const missing = given.has('KAFKA_SASL_USERNAME') ? 'KAFKA_SASL_PASSWORD' : 'KAFKA_SASL_USERNAME';
    refuse(missing, 'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD need each other: set both or neither.');
  } else if (isNamed && given.size === 0) {
    expectAll(given, LOGIN, mechanism);
  }
  return username === '' ? null : { mechanism, username, password };
}
