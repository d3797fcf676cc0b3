import { closestMatch } from 'leven';

/** What the processes and commands read. A process is started with settings of others too, so each knows all of them. */
const READ = [
  'AUDIT_INTERVAL_MINUTES',
  'DATABASE_URL',
  'HOST',
  'KAFKA_BROKERS',
  'KAFKA_DRIVERS_TOPIC',
  'KAFKA_GROUP_ID',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SESSION_TIMEOUT_MILLISECONDS',
  'KAFKA_SSL',
  'KAFKA_TRIPS_TOPIC',
  'LOG_LEVEL',
  'MAP_TILES_ADDRESS',
  'MAP_TILES_ATTRIBUTION',
  'MAXIMUM_LAG_SECONDS',
  'MILEPOST_HOME',
  'OPS_PORT',
  'OPS_TOKEN',
  'PORT',
  'RATE_LIMIT_PER_MINUTE',
  'REDIS_URL',
  'REPLACED_GENERATION_DAYS',
  'REQUEST_LOG',
  'REQUIRE_CONTENT_TYPE',
  'SAMPLE_FLEET',
  'SHUTDOWN_DELAY_SECONDS',
  'TRIP_RETENTION_DAYS',
] as const;

/** What `migrate` reads, and what docker-compose.yml does. Names too common to take another's for one of them misspelt. */
const READ_ELSEWHERE = [
  'API_PASSWORD',
  'INGEST_PASSWORD',
  'KAFKA_PORT',
  'MILEPOST_IMAGE',
  'OPS_PASSWORD',
  'PROJECTOR_PASSWORD',
] as const;

export type SettingName = (typeof READ | typeof READ_ELSEWHERE)[number];

/** Every setting there is. Exported for tests. */
export const SETTINGS: readonly SettingName[] = [...READ, ...READ_ELSEWHERE];

const KNOWN: ReadonlySet<string> = new Set(SETTINGS);
/** Names that begin so are nobody else's but of Kafka's own tools, and of Kubernetes for services of these names. */
const OURS = /^(KAFKA|MILEPOST|OPS|RATE_LIMIT)_/;
const OTHERS = /^KAFKA_(HOME|DEBUG|(\w+_)?OPTS)$|_SERVICE_(HOST|PORT)|_PORT(_\d+_\w+)?$/;
/** So many letters of a name make up for one that is wrong. Where the name is ours by its beginning, fewer do. */
const LETTERS_PER_MISTAKE = 8;
const LETTERS_PER_MISTAKE_IN_OURS = 3;

/** Settings that have no usable value, or that do not exist. The message has one sentence for the operator about each. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/** Where settings come from: the process's environment, read in each app's config.ts and nowhere else. */
export type Environment = Record<string, string | undefined>;

/** What is wrong, by setting, while `readSettings` reads. */
let faults: Map<string, string> | null = null;

/** Says that a setting is wrong: at once by SettingError, or with all others at the end of `readSettings`. */
export function refuse(name: SettingName, sentence: string): void {
  if (faults === null) throw new SettingError(sentence);
  if (!faults.has(name)) faults.set(name, sentence);
}

/** Settings that nobody reads and that look like ours, each with what is probably meant. */
function* unknownSettings(environment: Environment): Generator<[name: string, sentence: string]> {
  for (const [name, value] of Object.entries(environment)) {
    if (KNOWN.has(name) || value === undefined || value === '') continue;
    const isOurs = OURS.test(name) && !OTHERS.test(name);
    const letters = isOurs ? LETTERS_PER_MISTAKE_IN_OURS : LETTERS_PER_MISTAKE;
    const meant = closestMatch(name, READ, { maxDistance: Math.floor(name.length / letters) });
    if (!isOurs && meant === undefined) continue;
    yield [name, `${name} is no setting of Milepost${meant === undefined ? '.' : `: did you mean ${meant}?`}`];
  }
}

/**
 * Reads several settings with the functions below and tells of all that are wrong or unknown at once. Within another
 * reading it is a part of that one.
 *
 * @param read must not wait: what is wrong is gathered until it returns
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

/** An empty variable counts as absent, as in compose files that pass `NAME=`. */
export function optionalText(environment: Environment, name: SettingName): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/** A whole number within limits. */
export function integer(
  environment: Environment,
  name: SettingName,
  options: { default: number; minimum: number; maximum: number },
): number {
  const text = optionalText(environment, name);
  if (text === undefined) return options.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < options.minimum || value > options.maximum) {
    refuse(name, `${name} must be a whole number from ${options.minimum} to ${options.maximum}, and is "${text}".`);
    return options.default;
  }
  return value;
}

/** `true` or `false`. */
export function flag(environment: Environment, name: SettingName, fallback: boolean): boolean {
  return oneOf(environment, name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
}

/** One of a few words. */
export function oneOf<Word extends string>(
  environment: Environment,
  name: SettingName,
  words: readonly Word[],
  fallback: Word,
): Word {
  const text = optionalText(environment, name);
  if (text === undefined) return fallback;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) refuse(name, `${name} must be one of ${words.join(', ')}, and is "${text}".`);
  return word ?? fallback;
}

/** An address with one of the given schemes, such as `postgres`. A wrong one is not repeated: it may hold a password. */
export function address(environment: Environment, name: SettingName, schemes: readonly string[]): string | undefined {
  const text = optionalText(environment, name);
  if (text === undefined) return undefined;
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
  if (scheme === undefined || !schemes.includes(scheme)) {
    refuse(name, `${name} must be an address such as ${schemes[0]}://user:password@host:port/name.`);
    return undefined;
  }
  return text;
}
