import type { SettingName, Settings } from '@milepost/service';

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
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  username: string;
  password: string;
}

export type SaslConfig = PasswordConfig | OauthConfig;

const LOGIN: readonly SettingName[] = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];
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
export function readSasl(settings: Settings): SaslConfig | null {
  const mechanism = settings.get('KAFKA_SASL_MECHANISM');
  const username = settings.get('KAFKA_SASL_USERNAME');
  const password = settings.get('KAFKA_SASL_PASSWORD');
  const oauth = {
    tokenEndpoint: settings.get('KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL'),
    clientId: settings.get('KAFKA_SASL_OAUTHBEARER_CLIENT_ID'),
    clientSecret: settings.get('KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET'),
    scope: settings.get('KAFKA_SASL_OAUTHBEARER_SCOPE'),
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
  const missing = LOGIN.filter((name) => !settings.has(name));
  const [first] = missing;
  if (first !== undefined && missing.length < LOGIN.length)
    settings.refuse(first, 'KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD belong together: set both or neither.');
  else if (settings.has('KAFKA_SASL_MECHANISM') && !ANY_OAUTH.some((name) => settings.has(name))) expectAll(LOGIN);
  return username === '' ? null : { mechanism, username, password };
}
