import { inTransaction, type Pool, type Statement, type Transaction } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayRefusedError } from './errors.ts';
import { findActive, lockRequests } from './sql/active.ts';
import { insertReplay } from './sql/insert-replay.ts';
import { inTheWay, labelOf, projectionsNamed, type Started } from './start.ts';

interface Earlier {
  /** The replay whose promotion replaced it. */
  replay_id: number;
  generation: number;
  version: number;
}

/** The generation that the live one took the place of at its promotion, if it is still there. */
const FIND_EARLIER: Statement = {
  name: 'find-earlier-generation',
  text: `SELECT replay.replay_id, earlier.generation, earlier.version
         FROM projection.generation live
         JOIN projection.replay_member member ON member.projection = live.projection AND member.generation = live.generation
         JOIN projection.replay replay USING (replay_id)
         JOIN projection.generation earlier
           ON earlier.projection = live.projection AND earlier.generation = member.replaced_generation
         WHERE live.projection = $1 AND live.live AND earlier.dropped_at IS NULL
         ORDER BY replay.finished_at DESC LIMIT 1`,
};

const INSERT_MEMBER: Statement = {
  name: 'insert-roll-back-member',
  text: `INSERT INTO projection.replay_member (replay_id, projection, generation, target, filled, indexed)
         SELECT $1, $2, $3, checkpoint, true, true FROM projection.generation WHERE projection = $2 AND live`,
};

async function earlierOf(transaction: Transaction, { name, version }: Projection): Promise<Earlier> {
  const [earlier] = await transaction.rows<Earlier>(FIND_EARLIER, [name]);
  if (!earlier) {
    throw new ReplayRefusedError({ code: 'no_earlier_generation', projection: name });
  }
  if (earlier.version !== version) {
    const { generation } = earlier;
    const versions = { version: earlier.version, releaseVersion: version };
    throw new ReplayRefusedError({ code: 'earlier_version', projection: name, generation, ...versions });
  }
  return earlier;
}

/** Generations that were live together come back together: rolled back one by one, each its own step, they would mix. */
function refuseMixture(earlier: readonly { projection: Projection; replay_id: number }[]): void {
  const promotions = Map.groupBy(earlier, (each) => each.replay_id);
  if (promotions.size <= 1) return;
  throw new ReplayRefusedError({
    code: 'promoted_apart',
    promotions: [...promotions].map(([id, each]) => ({
      id,
      projections: each.map(({ projection }) => projection.name),
    })),
  });
}

/**
 * Asks for the generations to be live again that the last promotion replaced. They are caught up first, so that nothing
 * stored since is missing from any answer. What is live now is kept in turn.
 *
 * @throws ReplayRefusedError when there is no earlier generation, when what is live was promoted at different times, or
 *   when another replay is at work on the projections
 */
export async function rollBack(
  pool: Pool,
  projections: readonly Projection[],
  request: { projection: string; requestedBy: string },
): Promise<Started> {
  const wanted = projectionsNamed(projections, request.projection);
  const names = wanted.map((projection) => projection.name);
  const label = labelOf(wanted, projections);
  return await inTransaction(pool, async (transaction) => {
    await lockRequests(transaction);
    const active = await findActive(transaction, names);
    const same = active.find((replay) => replay.projection === label && replay.kind === 'roll_back');
    if (same) return { id: same.id, created: false };
    const [other] = active;
    if (other) throw new ReplayRefusedError(inTheWay(other, 'roll_back'));
    const earlier = [];
    for (const projection of wanted) earlier.push({ projection, ...(await earlierOf(transaction, projection)) });
    refuseMixture(earlier);
    const row = {
      ...request,
      projection: label,
      kind: 'roll_back',
      phase: 'catching_up',
      promote: true,
      throttle: 'off',
    } as const;
    const id = await insertReplay(transaction, row, names);
    for (const { projection, generation } of earlier) {
      await transaction.execute(INSERT_MEMBER, [id, projection.name, generation]);
    }
    return { id, created: true };
  });
}
