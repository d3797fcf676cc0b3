import { listProjections } from '@milepost/operations/projections';
import type { Pool } from '@milepost/postgres';

/** The number of each projection's live generation, by the projection's name. `pool` acts in the operator's role. */
export async function liveGenerations(pool: Pool): Promise<Map<string, number>> {
  const projections = await listProjections(pool);
  return new Map(
    projections.flatMap(({ name, generations }) =>
      generations.filter(({ state }) => state === 'live').map(({ generation }): [string, number] => [name, generation]),
    ),
  );
}

/** Which generation takes the place of which, as `trips: 3 -> 2, drivers: 4 -> 3`. */
export function generationChanges(
  live: ReadonlyMap<string, number>,
  wanted: readonly { projection: string; generation: number }[],
): string {
  return wanted
    .map(({ projection, generation }) => `${projection}: ${live.get(projection) ?? 'none'} -> ${generation}`)
    .join(', ');
}
