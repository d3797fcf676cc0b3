/** The words for units in names. A name that differs only in its unit probably means the same figure. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  length: ['m', 'meters', 'metres', 'km', 'kms', 'kilometers', 'kilometres', 'mi', 'mile', 'miles'],
  time: ['ms', 'millis', 'milliseconds', 's', 'sec', 'secs', 'second', 'seconds', 'min', 'mins', 'minutes', 'hours'],
  speed: ['mph', 'kmh', 'kph'],
};
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  latitude: ['lat'],
  longitude: ['lng', 'lon', 'long'],
  course: ['heading', 'bearing'],
  timestamp: ['ts', 'time'],
};
/** Words that make no difference in a name, because the field's place in the record implies them. */
const OPTIONAL_WORDS = new Set(['trip', 'event']);
const WORDS = new Map(
  Object.entries({ ...UNITS, ...SAME_WORDS }).flatMap(([meaning, words]) => words.map((word) => [word, meaning])),
);

/** Returns the meaning of a name, which is the same for `distance_miles`, `distanceMiles` and `distance_km`. */
function meaningOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words
    .filter((word) => word !== '' && !OPTIONAL_WORDS.has(word))
    .map((word) => WORDS.get(word) ?? word)
    .join(' ');
}

function withoutUnit(meaning: string): string {
  return meaning
    .split(' ')
    .filter((word) => !Object.hasOwn(UNITS, word))
    .join(' ');
}

/** Returns a function that finds which of `names` an unknown name probably means. */
export function likelyNames(names: readonly string[]): (name: string) => string | undefined {
  const meanings = new Map<string, string>(names.map((name) => [withoutUnit(meaningOf(name)), name]));
  for (const name of names) meanings.set(meaningOf(name), name);
  return (name) => meanings.get(meaningOf(name)) ?? meanings.get(withoutUnit(meaningOf(name)));
}
