import { inTransaction, type Pool, type Statement, type Transaction } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { type ReplayRefusal, ReplayRefusedError } from './errors.ts';
import type { Replay, StartRequest } from './replay.ts';
import { type ActiveReplay, findActive, lockRequests, renewRequest } from './sql/active.ts';
import { insertReplay } from './sql/insert-replay.ts';

/** All projections together, by this name. */
export const ALL = 'all';

export interface Started {
  id: number;
  /** False: this replay was under way already. */
  created: boolean;
}

/** The projections that are asked for, in the order of the list. Throws ReplayRefusedError for a name that stands for none. */
export function projectionsNamed(projections: readonly Projection[], asked: string): Projection[] {
  const names = asked.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !projections.some((projection) => projection.name === name));
  if (unknown !== undefined) {
    const known = projections.map((projection) => projection.name);
    throw new ReplayRefusedError({ code: 'unknown_projection', name: unknown, known });
  }
  return projections.filter((projection) => names.includes(ALL) || names.includes(projection.name));
}

/** One way to write what is asked for, whichever way it was. */
export function labelOf(wanted: readonly Projection[], projections: readonly Projection[]): string {
  return wanted.length === projections.length && wanted.length > 1
    ? ALL
    : wanted.map((projection) => projection.name).join(',');
}

/** Numbers are never used twice, dropped generations keep theirs. What retention has left out stays out. */
const INSERT_GENERATION: Statement = {
  name: 'insert-replayed-generation',
  text: `INSERT INTO projection.generation (projection, generation, version, horizon)
         SELECT $1, max(generation) + 1, $2, coalesce($3::date, max(horizon) FILTER (WHERE live))
         FROM projection.generation WHERE projection = $1 RETURNING generation`,
};

const INSERT_MEMBER: Statement = {
  name: 'insert-replay-member',
  text: `INSERT INTO projection.replay_member (replay_id, projection, generation, target)
         SELECT $1, $2, $3, checkpoint FROM projection.generation WHERE projection = $2 AND live`,
};

async function insertMember(transaction: Transaction, id: number, projection: Projection, horizon: string | null) {
  const values = [projection.name, projection.version, horizon];
  const [row] = await transaction.rows<{ generation: number | null }>(INSERT_GENERATION, values);
  if (!row?.generation) {
    throw new ReplayRefusedError({ code: 'no_read_table', projection: projection.name });
  }
  await transaction.execute(INSERT_MEMBER, [id, projection.name, row.generation]);
}

/** What a request for the projections of `other` is refused with. */
export function inTheWay({ id, projection, phase }: ActiveReplay, wanted: Replay['kind']): ReplayRefusal {
  return { code: 'in_the_way', id, projection, phase, wanted };
}

function isSame({ projection, kind, horizon }: ActiveReplay, label: string, wantedHorizon: string | null): boolean {
  return projection === label && kind === 'build' && horizon === wantedHorizon;
}

/**
 * Asks for a replay of one projection, of several or of all. Asked twice, the one that is under way answers, and takes over
 * the wish to promote; one that waits is caught up and verified anew.
 *
 * @param pool connections in the projector's or the operator's role
 * @throws ReplayRefusedError when one of the projections is being replayed by another replay
 */
export async function startReplay(
  pool: Pool,
  projections: readonly Projection[],
  request: StartRequest,
): Promise<Started> {
  const wanted = projectionsNamed(projections, request.projection);
  const names = wanted.map((projection) => projection.name);
  const label = labelOf(wanted, projections);
  return await inTransaction(pool, async (transaction) => {
    await lockRequests(transaction);
    const active = await findActive(transaction, names);
    const same = active.find((replay) => isSame(replay, label, request.horizon ?? null));
    if (same) {
      await renewRequest(transaction, same.id, request);
      return { id: same.id, created: false };
    }
    const [other] = active;
    if (other) throw new ReplayRefusedError(inTheWay(other, 'build'));
    const id = await insertReplay(
      transaction,
      { ...request, projection: label, kind: 'build', phase: 'filling' },
      names,
    );
    for (const projection of wanted) await insertMember(transaction, id, projection, request.horizon ?? null);
    return { id, created: true };
  });
}
