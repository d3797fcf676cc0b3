import { columns, type Pool, query, type RetryOptions, statement } from '@milepost/postgres';
import { type Filling, type Projection, scratchTables, tableOf } from '@milepost/projections/engine';
import type { Replay } from '../replay.ts';
import type { Throttled } from '../throttle/throttled.ts';

/** A projection in a replay, with the generation that the replay builds or restores. */
export interface Member {
  projection: Projection;
  generation: number;
  table: string;
  /** The log position that the filled table reflects. */
  target: number;
  /** Rows for days before this day (`YYYY-MM-DD`) are not kept. If null, all rows are kept. */
  cutoff: string | null;
  /** The projection whose fill includes this table. If null, the table has a fill of its own. */
  filled_with: string | null;
}

/** A step's arguments. `signal` aborts when the operator changes the replay or another worker claims it. */
export interface StepContext extends RetryOptions {
  pool: Pool;
  replay: Replay;
  members: readonly Member[];
  throttled: Throttled;
}

/** Returns the member for the projection with this name. */
export function memberNamed({ members }: Pick<StepContext, 'members'>, name: string): Member {
  const member = members.find(({ projection }) => projection.name === name);
  if (!member) throw new Error(`Projection ${name} is not part of the replay.`);
  return member;
}

/** Returns the members whose tables the fill of `first` writes, including `first` itself. */
export function filledTogether({ members }: Pick<StepContext, 'members'>, first: Member): Member[] {
  return members.filter((member) => member === first || member.filled_with === first.projection.name);
}

/** Returns the tables, the position and the cutoff for the fill of `first`. */
export function fillingOf(context: Pick<StepContext, 'members'>, first: Member): Filling {
  const tables = filledTogether(context, first).map(({ projection, table }) => [projection.name, table] as const);
  return { table: first.table, tables: new Map(tables), asOf: first.target, cutoff: first.cutoff };
}

/** Returns a member's scratch tables. A member that another member's fill writes has none. */
export function scratchOf({ projection, table, filled_with }: Member): ReturnType<typeof scratchTables> {
  return filled_with === null ? scratchTables(projection.fill, table) : [];
}

const READ_MEMBERS = statement('read-replay-members', {
  projection: 'text',
  ...columns('number', 'generation', 'target', 'version'),
  cutoff: 'date?',
  filled_with: 'text?',
})`
  SELECT member.projection, member.generation, member.target, generation.version, generation.cutoff, member.filled_with
  FROM replay_member member JOIN generation USING (projection, generation)
  WHERE replay_id = $1`;

/**
 * Reads a replay's projections with their generations, in the order of `projections`.
 *
 * @throws Error when a generation has a different version from this program, which lacks the code for it
 */
export async function readMembers(pool: Pool, projections: readonly Projection[], id: number): Promise<Member[]> {
  const rows = await query(pool, READ_MEMBERS, [id]);
  const place = (name: string) => projections.findIndex((projection) => projection.name === name);
  const ordered = rows.toSorted((left, right) => place(left.projection) - place(right.projection));
  return ordered.map(({ projection: name, generation, version, target, cutoff, filled_with }) => {
    const projection = projections.find((candidate) => candidate.name === name);
    if (projection?.version !== version) {
      throw new Error(
        `Generation ${generation} of ${name} belongs to version ${version}, but this program has version ${projection?.version ?? 'none'}: run the release that started the replay, or cancel the replay.`,
      );
    }
    return { projection, generation, table: tableOf(name, generation), target, cutoff, filled_with };
  });
}
