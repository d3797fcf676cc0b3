import { ENDED_PHASES, RESTING_PHASES } from '../../../packages/core/replay/replay.ts';
import type { Answer, Sent, SimulatedDatabase } from '../kernel/pool.ts';
import type { SimulatedProcess } from '../kernel/simulation.ts';
import { Server, type ServerTransaction, serverError } from '../kernel/table.ts';
import { buildingStatements } from './building-statements.ts';
import { type ReplayRow, ReplayTables } from './replay-tables.ts';
import { requestStatements } from './request-statements.ts';
import { Values } from './values.ts';

export type Handler = (transaction: ServerTransaction, values: Values) => Answer;
const LEASE_MILLISECONDS = 5_000;
const isIn = (phases: readonly string[], phase: string) => phases.includes(phase);

/** The statements that work on a replay's lease and phase. */
function leaseStatements(tables: ReplayTables, now: () => number): [string, Handler][] {
  const change = (
    transaction: ServerTransaction,
    id: number,
    condition: (replay: ReplayRow) => boolean,
    changed: (replay: ReplayRow) => Partial<ReplayRow>,
  ) =>
    tables.update(
      transaction,
      tables.replays,
      (replay) => replay.id === id && condition(replay),
      (replay) => ({ ...replay, ...changed(replay) }),
    );
  const isRunnable = ({ halted, phase, leaseUntil }: ReplayRow) =>
    halted === null && !isIn(RESTING_PHASES, phase) && (leaseUntil === null || leaseUntil < now());
  const inEpoch = (epoch: number) => (replay: ReplayRow) => replay.epoch === epoch;
  return [
    [
      'find-replay',
      (transaction, values) => tables.replays.all(transaction).filter(({ id }) => id === values.number(0)),
    ],
    ['find-runnable-replays', (transaction) => tables.replays.all(transaction).filter(isRunnable)],
    [
      'claim-replay',
      (transaction, values) =>
        change(transaction, values.number(0), isRunnable, ({ epoch }) => ({
          epoch: epoch + 1,
          leaseUntil: now() + LEASE_MILLISECONDS,
        })),
    ],
    [
      'renew-replay-lease',
      (transaction, values) =>
        change(transaction, values.number(0), inEpoch(values.number(1)), () => ({
          leaseUntil: now() + LEASE_MILLISECONDS,
        })),
    ],
    [
      'release-replay-lease',
      (transaction, values) =>
        change(transaction, values.number(0), inEpoch(values.number(1)), () => ({ leaseUntil: null })),
    ],
    [
      'replay-epoch',
      (transaction, values) => tables.replays.all(transaction).filter(({ id }) => id === values.number(0)),
    ],
    [
      'hold-replay',
      (transaction, values) => {
        const replay = tables.replays.lock(transaction, String(values.number(0)));
        const { epoch, phase, halted } = replay ?? {};
        return epoch === values.number(1) && phase === values.text(2) && halted === null ? 1 : 0;
      },
    ],
    [
      'set-replay-phase',
      (transaction, values) =>
        change(
          transaction,
          values.number(0),
          () => true,
          ({ finished_at }) => ({
            phase: values.text(1),
            error: values.textOrNull(2),
            finished_at: isIn(ENDED_PHASES, values.text(1)) ? finished_at : null,
          }),
        ).length,
    ],
    [
      'set-replay-finished',
      (transaction, values) =>
        change(
          transaction,
          values.number(0),
          ({ finished_at }) => finished_at === null,
          () => ({ finished_at: new Date(now()) }),
        ).length,
    ],
    [
      'halt-replay',
      (transaction, values) =>
        change(
          transaction,
          values.number(0),
          ({ epoch, phase }) => epoch === values.number(1) && phase === values.text(3),
          () => ({ halted: 'failed', error: values.text(2) }),
        ).length,
    ],
    [
      'change-replay',
      (transaction, values) =>
        change(
          transaction,
          values.number(0),
          ({ phase, halted }) => phase === values.text(1) && halted === values.textOrNull(2),
          ({ error, throttle, promote, accept_differences }) => ({
            phase: values.text(3),
            halted: values.textOrNull(4),
            error: values.boolean(5) ? null : error,
            throttle: values.textOrNull(6) ?? throttle,
            promote: promote || values.boolean(7),
            accept_differences: accept_differences || values.boolean(8),
          }),
        ).length,
    ],
    [
      'store-replay-verification',
      (transaction, values) =>
        change(
          transaction,
          values.number(0),
          () => true,
          () => ({ verification: JSON.parse(values.text(1)) }),
        ),
    ],
  ];
}

/** A lane with read tables, and the statements of `packages/core/replay` and of the projections' engine. */
export class ReplayStore implements SimulatedDatabase {
  readonly name = 'lane';
  readonly server = new Server();
  isDown = false;
  onCommit: (process: SimulatedProcess) => void = () => {};
  onStatement: SimulatedDatabase['onStatement'] = () => {};
  readonly tables = new ReplayTables();
  /** The transactions whose snapshots others import, by the snapshots' ids. */
  readonly #exporters: ServerTransaction[] = [];
  readonly #handlers: ReadonlyMap<string, Handler>;

  /** @param now the server's clock */
  constructor(now: () => number) {
    const { tables } = this;
    this.#handlers = new Map<string, Handler>([
      ...leaseStatements(tables, now),
      ...requestStatements(tables, now),
      ...buildingStatements(tables),
      ['read-head', (transaction) => tables.head.all(transaction)],
      ['describe-stored-event', () => []],
      ['read-cutoff', () => [{ cutoff: null }]],
      ['export-snapshot', (transaction) => [{ id: String(this.#exporters.push(transaction) - 1) }]],
    ]);
  }

  run(transaction: ServerTransaction, { name, text, values }: Sent): Answer {
    const handler = this.#handlers.get(name);
    if (handler !== undefined) return handler(transaction, new Values(values));
    if (name !== '') throw new Error(`The simulation has no statement "${name}".`);
    return this.#runText(transaction, text);
  }

  isImmediate({ name, text }: Sent): boolean {
    return text.startsWith('SET ') || ['read-cutoff', 'has-live-replay-member'].includes(name);
  }

  #runText(transaction: ServerTransaction, text: string): Answer {
    const [, snapshot] = /^SET TRANSACTION SNAPSHOT '(\d+)'/.exec(text) ?? [];
    if (snapshot !== undefined) {
      const exporter = this.#exporters[Number(snapshot)];
      if (exporter === undefined || exporter.isEnded) {
        throw serverError('42704', `snapshot "${snapshot}" does not exist`);
      }
      transaction.snapshot = exporter.snapshot;
      return 0;
    }
    const [, lock] = /^SELECT pg_advisory_xact_lock\((\d+)/.exec(text) ?? [];
    if (lock !== undefined) {
      transaction.take(this.server.advisory(lock));
      return 0;
    }
    if (text.startsWith('DO $$')) return this.#pointViews(transaction, text);
    if (text.startsWith('SELECT day,')) return this.#compare(transaction, text);
    if (text === 'SELECT') return 0;
    // In the simulation, nothing changes the log while a generation is built.
    if (text.startsWith('SET ') || text.includes('pg_advisory_xact_lock_shared')) return 0;
    const defined = this.tables.define(transaction, text);
    if (defined === null) throw new Error(`The simulation cannot run "${text}".`);
    return defined;
  }

  #pointViews(transaction: ServerTransaction, text: string): number {
    for (const [, view = '', table = ''] of text.matchAll(
      /CREATE (?:OR REPLACE )?VIEW (\w+) AS SELECT \* FROM (\w+)/g,
    )) {
      transaction.take(this.server.advisory(`relation ${view}`));
      this.tables.views.put(transaction, view, { table });
    }
    return 0;
  }

  /** Compares the rows of two tables. All of them belong to one day. */
  #compare(transaction: ServerTransaction, text: string): Answer {
    const [left = '', right = ''] = [...text.matchAll(/ROWS OF (\w+)/g)].map(([, table]) => table ?? '');
    const rowsOf = (table: string) =>
      this.tables.rows
        .all(transaction)
        .filter((row) => row.table === table)
        .map(({ position }) => position)
        .sort((one, other) => one - other);
    const [left_rows, right_rows] = [rowsOf(left), rowsOf(right)];
    if (text.includes('PARTITION BY')) return [{ day: '', key: '', left: '', right: '', differences: 1 }];
    const equal = left_rows.join() === right_rows.join();
    return [{ day: '', left_rows: left_rows.length, right_rows: right_rows.length, equal }];
  }
}
