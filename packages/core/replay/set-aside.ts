import { columns, inTransaction, type Pool, ROLES, type RowOf, statement, type Transaction } from '@milepost/postgres';
import { stopGenerations } from './building.ts';

/** The number is limited because every statement in a fold compares each stored event with all set-aside positions. */
const MAX_SET_ASIDE = 100;

/** The reason for refusing to set a stored event aside or put it back: a code with data. */
export type PositionRefusal =
  /** `head` is the last position in the log. */
  | { code: 'not_stored'; head: number }
  /** Every live read table already includes the stored event, so setting it aside would mix old and new rows. */
  | { code: 'applied'; checkpoint: number }
  /** A replay has read or will read the position. */
  | { code: 'replayed'; id: number }
  | { code: 'already_set_aside' | 'not_set_aside' }
  | { code: 'too_many'; most: number };

/** A stored event could not be set aside or put back, and nothing has changed. */
export class PositionRefusedError extends Error {
  override name = 'PositionRefusedError';
  readonly refusal: PositionRefusal;

  constructor(refusal: PositionRefusal) {
    super(`The position is refused: ${JSON.stringify(refusal)}`);
    this.refusal = refusal;
  }
}

/**
 * Every live read table has reached the position `applied`, and at least one has reached `shown`, the highest position
 * of all. The two differ while a new projection is catching up. `outdated` is true while the projector is waiting for
 * the replay of a read table that has another version. `replay_id` is an unfinished replay that reads up to or past the
 * position.
 */
const READ_STATE = statement('read-state-of-position', {
  ...columns('number', 'head', 'applied', 'shown', 'set_aside'),
  ...columns('boolean', 'outdated', 'is_set_aside'),
  replay_id: 'number?',
})`
  SELECT (SELECT position FROM log_head) AS head, coalesce(min(checkpoint), 0) AS applied,
    coalesce(max(checkpoint), 0) AS shown,
    coalesce(bool_or(failure IS NOT NULL AND failed_position IS NULL), false) AS outdated,
    EXISTS (SELECT FROM set_aside WHERE position = $1) AS is_set_aside,
    (SELECT count(*) FROM set_aside) AS set_aside,
    (SELECT min(replay_id) FROM replay_member member JOIN generation built USING (projection, generation)
     WHERE member.active AND greatest(member.target, built.checkpoint) >= $1) AS replay_id
  FROM generation WHERE live`;

const INSERT = statement('set-position-aside')`INSERT INTO set_aside (position, reason) VALUES ($1, $2)`;

const DELETE = statement('put-position-back')`DELETE FROM set_aside WHERE position = $1`;

/** The result of a change. */
interface PositionChange {
  /** Whether the live read tables show the change only after a replay. */
  needs_replay: boolean;
}

/**
 * Changes the list of set-aside positions. Projectors and replays cannot read the log during the change, so the list
 * stays the same throughout each of their transactions.
 */
async function changeList(
  pool: Pool,
  position: number,
  change: (transaction: Transaction, state: RowOf<typeof READ_STATE>) => Promise<void>,
): Promise<PositionChange> {
  return await inTransaction(pool, async (transaction) => {
    await transaction.actAs(ROLES.projector);
    await stopGenerations(transaction);
    const state = await transaction.row(READ_STATE, [position]);
    await transaction.actAs(ROLES.operator);
    await change(transaction, state);
    if (state.replay_id !== null) throw new PositionRefusedError({ code: 'replayed', id: state.replay_id });
    return { needs_replay: state.shown >= position };
  });
}

/**
 * Sets a stored event aside, so that folds, replays and audits ignore its content from now on, as if it were erased.
 * The stored event still supersedes the earlier revision of its trip or profile, and its driver still counts as known.
 * The log keeps it unchanged.
 *
 * @param pool connections made as the operator role, with a login that is also a member of the projector role
 * @throws PositionRefusedError
 */
export async function setAside(pool: Pool, position: number, reason: string): Promise<PositionChange> {
  return await changeList(pool, position, async (transaction, { head, applied, outdated, is_set_aside, set_aside }) => {
    if (position > head) throw new PositionRefusedError({ code: 'not_stored', head });
    if (is_set_aside) throw new PositionRefusedError({ code: 'already_set_aside' });
    if (position <= applied && !outdated) throw new PositionRefusedError({ code: 'applied', checkpoint: applied });
    if (set_aside >= MAX_SET_ASIDE) throw new PositionRefusedError({ code: 'too_many', most: MAX_SET_ASIDE });
    await transaction.execute(INSERT, [position, reason]);
  });
}

/**
 * Puts back a set-aside stored event. Read tables that are already past its position show its content only after a
 * replay.
 *
 * @param pool connections made as the operator role, with a login that is also a member of the projector role
 * @throws PositionRefusedError
 */
export async function putBack(pool: Pool, position: number): Promise<PositionChange> {
  return await changeList(pool, position, async (transaction, { is_set_aside }) => {
    if (!is_set_aside) throw new PositionRefusedError({ code: 'not_set_aside' });
    await transaction.execute(DELETE, [position]);
  });
}
