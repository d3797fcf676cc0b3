import { closestMatch } from 'leven';

/**
 * The settings of all processes and commands. A process may also get settings that only others read, so each process
 * knows the settings of all.
 */
const READ = [
  'AUDIT_INTERVAL_MINUTES',
  'CORS_ORIGINS',
  'DATABASE_URL',
  'DATABASE_URL_DIRECT',
  'DATABASE_URL_READ',
  'HOST',
  'KAFKA_BROKERS',
  'KAFKA_DRIVERS_TOPIC',
  'KAFKA_GROUP_ID',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_ID',
  'KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET',
  'KAFKA_SASL_OAUTHBEARER_EXTENSIONS',
  'KAFKA_SASL_OAUTHBEARER_SCOPE',
  'KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SESSION_TIMEOUT_MILLISECONDS',
  'KAFKA_SSL',
  'KAFKA_SSL_CA_FILE',
  'KAFKA_SSL_CERT_FILE',
  'KAFKA_SSL_KEY_FILE',
  'KAFKA_TRIPS_TOPIC',
  'LANES',
  'LOG_LEVEL',
  'MAP_TILES_ADDRESS',
  'MAP_TILES_ATTRIBUTION',
  'MAXIMUM_LAG_SECONDS',
  'METRICS_PORT',
  'MILEPOST_HOME',
  'OPS_PORT',
  'OPS_PUBLIC_URL',
  'OPS_TOKEN',
  'PORT',
  'PUBLIC_URL',
  'RATE_LIMIT_PER_MINUTE',
  'REDIS_URL',
  'REPLACED_GENERATION_DAYS',
  'REQUEST_LOG',
  'REQUIRE_CONTENT_TYPE',
  'SAMPLE_FLEET',
  'SHUTDOWN_DELAY_SECONDS',
  'TRIP_RETENTION_DAYS',
] as const;

/**
 * Settings of `migrate` and of docker-compose.yml. Their names are too common to be suggested for a similar unknown
 * name.
 */
const READ_ELSEWHERE = [
  'API_PASSWORD',
  'INGEST_PASSWORD',
  'KAFKA_PORT',
  'MILEPOST_IMAGE',
  'OPS_PASSWORD',
  'PROJECTOR_PASSWORD',
] as const;

/**
 * Settings that OpenTelemetry defines for all programs. They are never suggested for an unknown name, because
 * OpenTelemetry defines many similar ones.
 */
const DEFINED_BY_OPENTELEMETRY = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
] as const;

export type SettingName = (typeof READ | typeof READ_ELSEWHERE | typeof DEFINED_BY_OPENTELEMETRY)[number];

/** All settings. Exported for tests. */
export const SETTINGS: readonly SettingName[] = [...READ, ...READ_ELSEWHERE, ...DEFINED_BY_OPENTELEMETRY];

const KNOWN: ReadonlySet<string> = new Set(SETTINGS);
/**
 * Names with our prefixes. The exceptions are variables of Kafka's own tools, and those that Kubernetes sets for
 * services whose names have these prefixes.
 */
const OURS = /^(KAFKA|MILEPOST|OPS|RATE_LIMIT)_/;
const OTHERS = /^KAFKA_(HOME|DEBUG|(\w+_)?OPTS)$|_SERVICE_(HOST|PORT)|_PORT(_\d+_\w+)?$/;
/**
 * A suggestion may differ from a name in one letter for each `LETTERS_PER_MISTAKE` letters of the name. If the name has
 * one of our prefixes, the suggestion may differ in more letters.
 */
const LETTERS_PER_MISTAKE = 8;
const LETTERS_PER_MISTAKE_IN_OURS = 3;

/**
 * One or more settings have no valid value or do not exist. The message describes each of them in one sentence.
 */
export class SettingError extends Error {
  override name = 'SettingError';
}

/** The source of settings: the environment of the process. Only the config.ts of each app reads it. */
export type Environment = Record<string, string | undefined>;

/** The errors found so far, by setting, while `readSettings` runs. */
let faults: Map<string, string> | null = null;

/**
 * Reports a wrong setting. Throws SettingError; within `readSettings`, the error is thrown at its end, together with
 * all others.
 */
export function refuse(name: SettingName, sentence: string): void {
  if (faults === null) throw new SettingError(sentence);
  if (!faults.has(name)) faults.set(name, sentence);
}

/** Yields the variables that look like settings but are not, each with a sentence that suggests the closest setting. */
function* unknownSettings(environment: Environment): Generator<[name: string, sentence: string]> {
  for (const [name, value] of Object.entries(environment)) {
    if (KNOWN.has(name) || value === undefined || value === '') continue;
    const isOurs = OURS.test(name) && !OTHERS.test(name);
    const letters = isOurs ? LETTERS_PER_MISTAKE_IN_OURS : LETTERS_PER_MISTAKE;
    const meant = closestMatch(name, READ, { maxDistance: Math.floor(name.length / letters) });
    if (!isOurs && meant === undefined) continue;
    yield [name, `${name} is not a setting of Milepost${meant === undefined ? '.' : `: did you mean ${meant}?`}`];
  }
}

/**
 * Reads several settings with the functions below, and reports all wrong or unknown ones together. A nested call
 * becomes a part of the outer one.
 *
 * @param read must be synchronous: errors are collected until it returns
 * @throws SettingError
 */
export function readSettings<Settings>(environment: Environment, read: () => Settings): Settings {
  if (faults !== null) return read();
  const found = new Map(unknownSettings(environment));
  faults = found;
  try {
    const settings = read();
    if (found.size === 0) return settings;
  } finally {
    faults = null;
  }
  throw new SettingError([...found.values()].join(' '));
}

/** Returns the text of a variable. An empty variable counts as absent, as in compose files that pass `NAME=`. */
export function optionalText(environment: Environment, name: SettingName): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/** Reads an integer within limits. */
export function integer(
  environment: Environment,
  name: SettingName,
  options: { default: number; minimum: number; maximum: number },
): number {
  const text = optionalText(environment, name);
  if (text === undefined) return options.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < options.minimum || value > options.maximum) {
    refuse(name, `${name} must be a whole number from ${options.minimum} to ${options.maximum}, but is "${text}".`);
    return options.default;
  }
  return value;
}

/** Reads `true` or `false`. */
export function flag(environment: Environment, name: SettingName, fallback: boolean): boolean {
  return oneOf(environment, name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
}

/** Reads a setting that must be one of the given words. */
export function oneOf<Word extends string>(
  environment: Environment,
  name: SettingName,
  words: readonly Word[],
  fallback: Word,
): Word {
  const text = optionalText(environment, name);
  if (text === undefined) return fallback;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) refuse(name, `${name} must be one of ${words.join(', ')}, but is "${text}".`);
  return word ?? fallback;
}

/**
 * Reads a URL with one of the given schemes, such as `postgres`. The error omits a wrong URL, because it may contain a
 * password.
 */
export function address(environment: Environment, name: SettingName, schemes: readonly string[]): string | undefined {
  const text = optionalText(environment, name);
  if (text === undefined) return undefined;
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
  if (scheme === undefined || !schemes.includes(scheme)) {
    refuse(name, `${name} must be a URL such as ${schemes[0]}://user:password@host:port/name.`);
    return undefined;
  }
  return text;
}
