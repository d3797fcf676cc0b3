import { closestMatch } from 'leven';
import type { Setting } from './setting-kinds.ts';
import { SETTINGS, type SettingName, SUGGESTED, type Values } from './settings.ts';

/**
 * Names with our prefixes. Not every such name is a setting: Kafka's own tools and docker-compose.yml have variables of
 * their own, and Kubernetes sets variables for services whose names have these prefixes.
 */
const OURS = /^(KAFKA|MILEPOST|OPS|RATE_LIMIT)_/;
const OTHERS = /^KAFKA_(HOME|DEBUG|(\w+_)?OPTS)$|^MILEPOST_IMAGE$|_SERVICE_(HOST|PORT)|_PORT(_\d+_\w+)?$/;
/**
 * A suggestion may differ from a name by one letter for every `LETTERS_PER_MISTAKE` letters in the name. If the name
 * has one of our prefixes, more letters may differ.
 */
const LETTERS_PER_MISTAKE = 8;
const LETTERS_PER_MISTAKE_IN_OURS = 3;

const DECLARED: { [Name in SettingName]: Setting<Values[Name]> } = SETTINGS;

/** One or more settings have no valid value or do not exist. The message describes each in one sentence. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/** The source of settings: the process's environment. Only the config.ts of each app reads it. */
export type Environment = Record<string, string | undefined>;

/** Yields the variables that look like settings but are not, each with a sentence that suggests the closest setting. */
function* unknownSettings(environment: Environment): Generator<[name: string, sentence: string]> {
  for (const [name, value] of Object.entries(environment)) {
    if (Object.hasOwn(SETTINGS, name) || value === undefined || value === '') continue;
    const isOurs = OURS.test(name) && !OTHERS.test(name);
    const letters = isOurs ? LETTERS_PER_MISTAKE_IN_OURS : LETTERS_PER_MISTAKE;
    const meant = closestMatch(name, SUGGESTED, { maxDistance: Math.floor(name.length / letters) });
    if (!isOurs && meant === undefined) continue;
    yield [name, `${name} is not a Milepost setting${meant === undefined ? '.' : `: did you mean ${meant}?`}`];
  }
}

/** Returns the text of a variable. An empty variable counts as absent, because compose files may pass `NAME=`. */
export function optionalText(environment: Environment, name: SettingName): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}

/** Reads the settings of an environment and collects the errors. */
export class Settings {
  readonly #environment: Environment;
  readonly #faults: Map<string, string>;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#faults = new Map(unknownSettings(environment));
  }

  /** Returns the value of a setting. */
  get<Name extends SettingName>(name: Name): Values[Name] {
    const declared = DECLARED[name];
    const text = optionalText(this.#environment, name);
    if (text === undefined) return declared.default;
    return declared.parse(text, (rest) => this.refuse(name, `${name} ${rest}.`)) ?? declared.default;
  }

  /** Returns whether a setting has a value, even an invalid one. */
  has(name: SettingName): boolean {
    return optionalText(this.#environment, name) !== undefined;
  }

  /** Reports an invalid setting. Only the first report about each setting is kept. */
  refuse(name: SettingName, sentence: string): undefined {
    if (!this.#faults.has(name)) this.#faults.set(name, sentence);
  }

  /** Throws SettingError when a setting is invalid. */
  check(): void {
    if (this.#faults.size > 0) throw new SettingError([...this.#faults.values()].join(' '));
  }
}

/**
 * Reads several settings and reports all invalid or unknown settings together.
 *
 * @param source the environment, or the settings of an outer call, which then also reports the errors in this call
 * @throws SettingError
 */
export function readSettings<Result>(source: Environment | Settings, read: (settings: Settings) => Result): Result {
  if (source instanceof Settings) return read(source);
  const settings = new Settings(source);
  const result = read(settings);
  settings.check();
  return result;
}
