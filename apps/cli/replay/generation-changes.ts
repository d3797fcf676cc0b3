/** Which generation takes the place of which, as `trips: 3 -> 2, drivers: 4 -> 3`. */
export function generationChanges(
  live: ReadonlyMap<string, number>,
  wanted: readonly { projection: string; generation: number }[],
): string {
  return wanted
    .map(({ projection, generation }) => `${projection}: ${live.get(projection) ?? 'none'} -> ${generation}`)
    .join(', ');
}
