import type { Pool } from '@milepost/postgres';
import { type Projection, tableOf } from '@milepost/projections/engine';
import type { Member } from '../replay.ts';

interface Row {
  projection: string;
  generation: number;
  version: number;
  target: number;
  horizon: string | null;
}

/**
 * The projections of a replay with their generations, in the order of the program's list.
 *
 * @throws when a generation belongs to another version than this program has: its fold is not here
 */
export async function readMembers(pool: Pool, projections: readonly Projection[], id: number): Promise<Member[]> {
  const { rows } = await pool.query<Row>({
    name: 'read-replay-members',
    text: `SELECT member.projection, member.generation, member.target, generation.version, generation.horizon
           FROM projection.replay_member member JOIN projection.generation USING (projection, generation)
           WHERE replay_id = $1`,
    values: [id],
  });
  const place = (name: string) => projections.findIndex((projection) => projection.name === name);
  const ordered = rows.toSorted((left, right) => place(left.projection) - place(right.projection));
  return ordered.map(({ projection: name, generation, version, target, horizon }) => {
    const projection = projections.find((candidate) => candidate.name === name);
    if (projection?.version !== version) {
      throw new Error(
        `Generation ${generation} of ${name} belongs to version ${version}, and this program has version ${projection?.version ?? 'none'}: run the release that it was started with, or cancel the replay.`,
      );
    }
    return { projection, generation, table: tableOf(name, generation), target, horizon };
  });
}
