/** A setting that has no usable value. The message is one sentence for the operator. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/** Where settings come from: the process's environment, read in each app's config.ts and nowhere else. */
export type Environment = Record<string, string | undefined>;

/** An empty variable counts as absent, as in compose files that pass `NAME=`. */
export function optionalText(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}

/** A whole number within limits. Throws SettingError. */
export function integer(
  environment: Environment,
  name: string,
  options: { default: number; minimum: number; maximum: number },
): number {
  const text = optionalText(environment, name);
  if (text === undefined) return options.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < options.minimum || value > options.maximum) {
    throw new SettingError(
      `${name} must be a whole number from ${options.minimum} to ${options.maximum}, and is "${text}".`,
    );
  }
  return value;
}

/** `true` or `false`. Throws SettingError. */
export function flag(environment: Environment, name: string, fallback: boolean): boolean {
  return oneOf(environment, name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
}

/** One of a few words. Throws SettingError. */
export function oneOf<Word extends string>(
  environment: Environment,
  name: string,
  words: readonly Word[],
  fallback: Word,
): Word {
  const text = optionalText(environment, name);
  if (text === undefined) return fallback;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new SettingError(`${name} must be one of ${words.join(', ')}, and is "${text}".`);
  return word;
}

/** An address with one of the given schemes, such as `postgres`. Throws SettingError, without repeating a password. */
export function address(environment: Environment, name: string, schemes: readonly string[]): string | undefined {
  const text = optionalText(environment, name);
  if (text === undefined) return undefined;
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
  if (scheme === undefined || !schemes.includes(scheme)) {
    throw new SettingError(`${name} must be an address such as ${schemes[0]}://user:password@host:port/name.`);
  }
  return text;
}
