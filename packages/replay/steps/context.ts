import { columns, date, nullable, number, type Pool, query, statement, text } from '@milepost/postgres';
import { type Fill, type Projection, tableOf } from '@milepost/projections/engine';
import type { Replay } from '../replay.ts';
import type { Throttled } from '../throttle/throttled.ts';

/** One projection's share in a replay. */
export interface Member {
  projection: Projection;
  generation: number;
  table: string;
  /** The position whose state the filled table shows. */
  target: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  cutoff: string | null;
  /** The projection whose filling fills this table too; null: the table has a filling of its own. */
  filled_with: string | null;
}

/** What a step works with. */
export interface StepContext {
  pool: Pool;
  replay: Replay;
  members: readonly Member[];
  epoch: number;
  throttled: Throttled;
  /** Aborts when the operator wants something else, or somebody else took the replay over. */
  signal: AbortSignal;
}

/** The share of the projection of this name. */
export function memberNamed({ members }: Pick<StepContext, 'members'>, name: string): Member {
  const member = members.find(({ projection }) => projection.name === name);
  if (!member) throw new Error(`Projection ${name} has no share in the replay.`);
  return member;
}

/** The members that are filled together with `first`, which has a filling of its own. */
export function filledTogether({ members }: Pick<StepContext, 'members'>, first: Member): Member[] {
  return members.filter((member) => member === first || member.filled_with === first.projection.name);
}

/** The scratch tables of a member's own filling. */
export function scratchOf({ projection, table, filled_with }: Member): ReturnType<Fill['scratch']> {
  return filled_with === null ? projection.fill.scratch(table) : [];
}

const READ_MEMBERS = statement('read-replay-members', {
  projection: text,
  ...columns(number, 'generation', 'target', 'version'),
  cutoff: nullable(date),
  filled_with: nullable(text),
})`
  SELECT member.projection, member.generation, member.target, generation.version, generation.cutoff, member.filled_with
  FROM projection.replay_member member JOIN projection.generation USING (projection, generation)
  WHERE replay_id = $1`;

/**
 * The projections of a replay with their generations, in the order of the program's list.
 *
 * @throws when a generation belongs to another version than this program has: its fold is not here
 */
export async function readMembers(pool: Pool, projections: readonly Projection[], id: number): Promise<Member[]> {
  const rows = await query(pool, READ_MEMBERS, [id]);
  const place = (name: string) => projections.findIndex((projection) => projection.name === name);
  const ordered = rows.toSorted((left, right) => place(left.projection) - place(right.projection));
  return ordered.map(({ projection: name, generation, version, target, cutoff, filled_with }) => {
    const projection = projections.find((candidate) => candidate.name === name);
    if (projection?.version !== version) {
      throw new Error(
        `Generation ${generation} of ${name} belongs to version ${version}, and this program has version ${projection?.version ?? 'none'}: run the release that it was started with, or cancel the replay.`,
      );
    }
    return { projection, generation, table: tableOf(name, generation), target, cutoff, filled_with };
  });
}
