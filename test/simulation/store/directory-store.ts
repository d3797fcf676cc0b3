import type { Answer, Sent, SimulatedDatabase } from '../kernel/pool.ts';
import type { SimulatedProcess } from '../kernel/simulation.ts';
import { Server, type ServerTransaction, serverError, Table } from '../kernel/table.ts';
import { Values } from './values.ts';

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
type Handler = (transaction: ServerTransaction, values: Values) => Answer;

/** The directory's fleets and moves, and the statements that use them. */
export class DirectoryStore implements SimulatedDatabase {
  readonly name = 'directory';
  readonly server = new Server();
  isDown = false;
  onCommit: (process: SimulatedProcess) => void = () => {};
  onStatement: SimulatedDatabase['onStatement'] = () => {};
  readonly fleets = new Table<{ fleet_id: string; lane: number }>();
  readonly moves = new Table<MoveRow>();
  /** The unique index on moving fleets. */
  readonly running = new Table<{ fleet_move_id: number }>();
  #epoch = 0;
  #lastId = 0;
  readonly #handlers: ReadonlyMap<string, Handler>;

  constructor() {
    this.#handlers = new Map<string, Handler>([
      ['find-lanes-of-fleets', this.#findLanes],
      ['continue-move', this.#continueMove],
      ['start-move', this.#startMove],
      ['find-move-of-fleet', this.#findMove],
      ['find-holding-move', this.#findHolding],
      ['set-move-step', this.#setStep],
      ['set-move-progress', (transaction, values) => this.#change(transaction, values, () => true, {})],
      ['mark-move-switched', this.#markSwitched],
      ['switch-lane-of-fleet', this.#switchLane],
      ['read-state-of-move', this.#readState],
    ]);
  }

  run(transaction: ServerTransaction, { name, text, values }: Sent): Answer {
    const [, lock] = /^SELECT pg_advisory_xact_lock\((\d+)/.exec(text) ?? [];
    if (lock !== undefined) {
      transaction.take(this.server.advisory(lock));
      return 0;
    }
    const handler = this.#handlers.get(name);
    if (handler === undefined) throw new Error(`The simulation has no statement "${name || text}".`);
    return handler(transaction, new Values(values));
  }

  isImmediate(): boolean {
    return false;
  }

  laneOf(fleetId: string): number | undefined {
    return this.fleets.committed.get(fleetId)?.lane;
  }

  #findLanes = (transaction: ServerTransaction, values: Values) => {
    const wanted = values.texts(0);
    return this.fleets.all(transaction).filter(({ fleet_id }) => wanted.includes(fleet_id));
  };

  #continueMove = (transaction: ServerTransaction, values: Values) => {
    const [fleetId, toLane] = [values.text(0), values.number(1)];
    const isWanted = (move: MoveRow) => move.fleet_id === fleetId && move.to_lane === toLane && !move.isEnded;
    return this.moves.entries(transaction).flatMap(([key, move]) => {
      const newest = isWanted(move) ? this.moves.lock(transaction, key) : undefined;
      if (newest === undefined || !isWanted(newest)) return [];
      const continued = { ...newest, epoch: this.#nextEpoch() };
      this.moves.put(transaction, key, continued);
      return [continued];
    });
  };

  #startMove = (transaction: ServerTransaction, values: Values) => {
    const [fleetId, toLane] = [values.text(0), values.number(1)];
    const fleet = this.fleets.get(transaction, fleetId);
    if (fleet === undefined) return [];
    if (this.running.lock(transaction, fleetId) !== undefined) throw serverError('23505', 'fleet_move_running');
    this.#lastId += 1;
    const move: MoveRow = {
      fleet_move_id: this.#lastId,
      fleet_id: fleetId,
      from_lane: fleet.lane,
      to_lane: toLane,
      epoch: this.#nextEpoch(),
      step: 'copying',
      isEnded: false,
    };
    this.moves.insert(transaction, String(move.fleet_move_id), move);
    this.running.insert(transaction, fleetId, { fleet_move_id: move.fleet_move_id });
    return [move];
  };

  #findMove = (transaction: ServerTransaction, values: Values) => {
    const fleetId = values.text(0);
    return this.moves.all(transaction).filter(({ fleet_id, isEnded }) => fleet_id === fleetId && !isEnded);
  };

  #findHolding = (transaction: ServerTransaction, values: Values) => {
    const own = values.number(0);
    return this.moves
      .all(transaction)
      .filter(({ fleet_move_id, step }) => fleet_move_id !== own && ['holding', 'switched'].includes(step))
      .slice(0, 1);
  };

  #setStep = (transaction: ServerTransaction, values: Values) => {
    const step = values.text(2);
    return this.#change(transaction, values, () => true, { step, isEnded: ENDED_STEPS.includes(step) });
  };

  #markSwitched = (transaction: ServerTransaction, values: Values) =>
    this.#change(transaction, values, ({ step }) => step === 'holding', { step: 'switched' });

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

  #switchLane = (transaction: ServerTransaction, values: Values) => {
    const fleet = this.fleets.lock(transaction, values.text(0));
    if (!fleet || fleet.lane !== values.number(2)) return 0;
    this.fleets.put(transaction, fleet.fleet_id, { ...fleet, lane: values.number(1) });
    return 1;
  };

  #readState = (transaction: ServerTransaction, values: Values) => {
    const move = this.moves.get(transaction, String(values.number(0)));
    const fleet = move && this.fleets.get(transaction, move.fleet_id);
    return move && fleet && move.epoch === values.number(1) ? [{ lane: fleet.lane, step: move.step }] : [];
  };

  #nextEpoch(): number {
    this.#epoch += 1;
    return this.#epoch;
  }
}
