import { inTransaction, type Pool, type RowOf, statement, type Transaction } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayRefusedError } from './errors.ts';
import { insertReplay, openRequest, type Started } from './requests.ts';

type Earlier = RowOf<typeof FIND_EARLIER>;

/**
 * Finds the generation that the live one replaced in the last promotion, unless it has been dropped. The last promotion
 * is the one with the highest replay id, because a projection has one replay at a time. Times would be unreliable,
 * because they can repeat or run backwards.
 */
const FIND_EARLIER = statement('find-earlier-generation', {
  /** The replay whose promotion replaced the generation. */
  replay_id: 'number',
  generation: 'number',
  version: 'number',
})`
  SELECT member.replay_id, earlier.generation, earlier.version
  FROM generation live
  JOIN replay_member member ON member.projection = live.projection AND member.generation = live.generation
  JOIN generation earlier
    ON earlier.projection = live.projection AND earlier.generation = member.replaced_generation
  WHERE live.projection = $1 AND live.live AND earlier.dropped_at IS NULL
  ORDER BY member.replay_id DESC LIMIT 1`;

const INSERT_MEMBER = statement('insert-roll-back-member')`
  WITH live AS (SELECT checkpoint FROM generation WHERE projection = $2 AND live)
  INSERT INTO replay_member (replay_id, projection, generation, target, filled, indexed)
  SELECT $1::bigint, $2, $3::integer, checkpoint, true, true FROM live`;

async function earlierOf(transaction: Transaction, { name, version }: Projection): Promise<Earlier> {
  const [earlier] = await transaction.rows(FIND_EARLIER, [name]);
  if (!earlier) throw new ReplayRefusedError({ code: 'no_earlier_generation', projection: name });
  if (earlier.version !== version) {
    const { generation } = earlier;
    const versions = { version: earlier.version, releaseVersion: version };
    throw new ReplayRefusedError({ code: 'earlier_version', projection: name, generation, ...versions });
  }
  return earlier;
}

/**
 * Generations that were live together must be restored together, because otherwise a response would mix states from
 * different times.
 */
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
 * Requests a rollback to the generations replaced by the last promotion. These generations catch up first, so that
 * stored events do not disappear from responses. The generations that are currently live are kept for another rollback.
 *
 * @throws ReplayRefusedError when there is no earlier generation, when different replays promoted the live generations,
 * or when another replay of these projections is running
 */
export async function rollBack(
  pool: Pool,
  projections: readonly Projection[],
  request: { projection: string; requestedBy: string },
): Promise<Started> {
  return await inTransaction(pool, async (transaction) => {
    const asked = { ...request, kind: 'roll_back', phase: 'catching_up', promote: true, throttle: 'off' } as const;
    const { wanted, label, same } = await openRequest(transaction, projections, asked);
    if (same !== null) return { id: same, created: false };
    const earlier = [];
    for (const projection of wanted) earlier.push({ projection, ...(await earlierOf(transaction, projection)) });
    refuseMixture(earlier);
    const id = await insertReplay(transaction, { ...asked, projection: label }, wanted);
    for (const { projection, generation } of earlier) {
      await transaction.execute(INSERT_MEMBER, [id, projection.name, generation]);
    }
    return { id, created: true };
  });
}
