import { type Answer, type Handlers, type Sent, SimulatedDatabase } from '../kernel/database.ts';
import { type ServerTransaction, serverError, Table } from '../kernel/table.ts';
import type { Values } from '../kernel/values.ts';

interface MoveRow {
  fleet_move_id: number;
  fleet_id: string;
  from_lane: number;
  to_lane: number;
  epoch: number;
  step: string;
  isEnded: boolean;
}

const ENDED_STEPS = ['moved', 'failed'];

/** The directory's fleets and moves, and the statements that use them. */
export class DirectoryStore extends SimulatedDatabase {
  readonly fleets = new Table<{ fleet_id: string; lane: number }>();
  readonly moves = new Table<MoveRow>();
  /** The unique index on moving fleets. */
  readonly running = new Table<{ fleet_move_id: number }>();
  #epoch = 0;

  protected override readonly handlers: Handlers = {
    'find-lanes-of-fleets': (transaction, values) => {
      const wanted = values.texts(0);
      return this.fleets.all(transaction).filter(({ fleet_id }) => wanted.includes(fleet_id));
    },
    'continue-move': (transaction, values) => {
      const [fleetId, toLane] = [values.text(0), values.number(1)];
      const isWanted = (move: MoveRow) => move.fleet_id === fleetId && move.to_lane === toLane && !move.isEnded;
      return this.moves.entries(transaction).flatMap(([key, move]) => {
        const newest = isWanted(move) ? this.moves.lock(transaction, key) : undefined;
        if (newest === undefined || !isWanted(newest)) return [];
        const continued = { ...newest, epoch: this.#nextEpoch() };
        this.moves.put(transaction, key, continued);
        return [continued];
      });
    },
    'start-move': (transaction, values) => {
      const [fleet_id, to_lane] = [values.text(0), values.number(1)];
      const fleet = this.fleets.get(transaction, fleet_id);
      if (fleet === undefined) return [];
      if (this.running.lock(transaction, fleet_id) !== undefined) throw serverError('23505', 'fleet_move_running');
      const fleet_move_id = this.nextId();
      const [epoch, step] = [this.#nextEpoch(), 'copying'];
      const move = { fleet_move_id, fleet_id, from_lane: fleet.lane, to_lane, epoch, step, isEnded: false };
      this.moves.insert(transaction, String(fleet_move_id), move);
      this.running.insert(transaction, fleet_id, { fleet_move_id });
      return [move];
    },
    'find-move-of-fleet': (transaction, values) => {
      const fleetId = values.text(0);
      return this.moves.all(transaction).filter(({ fleet_id, isEnded }) => fleet_id === fleetId && !isEnded);
    },
    'find-holding-move': (transaction, values) => {
      const own = values.number(0);
      const isHolding = ({ step }: MoveRow) => ['holding', 'switched'].includes(step);
      const others = this.moves.all(transaction).filter(({ fleet_move_id }) => fleet_move_id !== own);
      return others.filter(isHolding).slice(0, 1);
    },
    'set-move-step': (transaction, values) => {
      const step = values.text(2);
      return this.#change(transaction, values, () => true, { step, isEnded: ENDED_STEPS.includes(step) });
    },
    'set-move-progress': (transaction, values) => this.#change(transaction, values, () => true, {}),
    'mark-move-switched': (transaction, values) =>
      this.#change(transaction, values, ({ step }) => step === 'holding', { step: 'switched' }),
    'switch-lane-of-fleet': (transaction, values) => {
      const fleet = this.fleets.lock(transaction, values.text(0));
      if (!fleet || fleet.lane !== values.number(2)) return 0;
      this.fleets.put(transaction, fleet.fleet_id, { ...fleet, lane: values.number(1) });
      return 1;
    },
    'read-state-of-move': (transaction, values) => {
      const move = this.moves.get(transaction, String(values.number(0)));
      const fleet = move && this.fleets.get(transaction, move.fleet_id);
      return move && fleet && move.epoch === values.number(1) ? [{ lane: fleet.lane, step: move.step }] : [];
    },
  };

  constructor() {
    super('directory');
  }

  override run(transaction: ServerTransaction, sent: Sent): Answer {
    const [, lock] = /^SELECT pg_advisory_xact_lock\((\d+)/.exec(sent.text) ?? [];
    if (lock === undefined) return super.run(transaction, sent);
    transaction.take(this.server.advisory(lock));
    return 0;
  }

  laneOf(fleetId: string): number | undefined {
    return this.fleets.committed.get(fleetId)?.lane;
  }

  /** Changes a move if its epoch has not changed. */
  #change(
    transaction: ServerTransaction,
    values: Values,
    condition: (move: MoveRow) => boolean,
    change: { step?: string; isEnded?: boolean },
  ): number {
    const [key, epoch] = [String(values.number(0)), values.number(1)];
    const move = this.moves.lock(transaction, key);
    if (!move || move.epoch !== epoch || !condition(move)) return 0;
    const changed = { ...move, ...change };
    if (changed.isEnded !== move.isEnded) {
      const { fleet_move_id } = move;
      if (!changed.isEnded) this.running.insert(transaction, move.fleet_id, { fleet_move_id });
      else this.running.put(transaction, move.fleet_id, null);
    }
    this.moves.put(transaction, key, changed);
    return 1;
  }

  #nextEpoch(): number {
    this.#epoch += 1;
    return this.#epoch;
  }
}
