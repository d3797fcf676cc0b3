import type { Answer, Sent } from '../kernel/pool.ts';
import { InvariantError, type SimulatedProcess } from '../kernel/simulation.ts';
import type { GenerationRow, MemberRow, ReplayRow, ReplayTables } from '../store/replay-tables.ts';

/** Which phases may follow each phase. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  filling: ['indexing', 'cancelling'],
  indexing: ['catching_up', 'cancelling'],
  catching_up: ['verifying', 'promoting', 'cancelling'],
  verifying: ['waiting', 'promoting', 'cancelling'],
  waiting: ['promoting', 'catching_up', 'cancelling', 'dropping'],
  promoting: ['promoted', 'cancelling'],
  promoted: ['dropping'],
  cancelling: ['cancelled'],
  dropping: ['dropped', 'promoted'],
};

function assert(holds: boolean, describe: () => string): void {
  if (!holds) throw new InvariantError(describe());
}

/** The rules that must be true after each commit of a replay, a projector or an operator. */
export class ReplayInvariants {
  readonly #tables: ReplayTables;
  #replays: ReadonlyMap<string, ReplayRow> = new Map();
  /** The worker that has claimed each epoch of a replay. */
  readonly #owners = new Map<string, SimulatedProcess>();
  readonly #checkpoints = new Map<string, number>();
  readonly #promotions = new Map<number, number>();

  constructor(tables: ReplayTables) {
    this.#tables = tables;
  }

  noteClaim(process: SimulatedProcess, { name, values }: Sent, answer: Answer): void {
    if (name !== 'claim-replay' || typeof answer === 'number') return;
    for (const row of answer) if ('epoch' in row) this.#owners.set(`${values[0]} ${row.epoch}`, process);
  }

  /** Checks all tables after a commit of a process. */
  checkCommit(process: SimulatedProcess, isWorker: boolean): void {
    for (const [key, replay] of this.#tables.replays.committed) {
      const before = this.#replays.get(key);
      // The simulation's faults are all temporary, so a replay must not fail.
      assert(replay.halted !== 'failed', () => `replay ${replay.id} fails: ${replay.error}`);
      if (before !== undefined && before.phase !== replay.phase) this.#checkPhase(before, replay, process, isWorker);
    }
    this.#replays = this.#tables.replays.committed;
    for (const generation of this.#tables.generations.committed.values()) this.#checkGeneration(generation);
    for (const member of this.#tables.members.committed.values()) this.#checkMember(member);
  }

  #checkPhase(
    before: ReplayRow,
    { id, kind, phase, epoch, verification }: ReplayRow,
    process: SimulatedProcess,
    isWorker: boolean,
  ): void {
    assert(NEXT[before.phase]?.includes(phase) === true, () => `replay ${id} goes from ${before.phase} to ${phase}`);
    const owner = this.#owners.get(`${id} ${epoch}`);
    assert(!isWorker || owner === process, () => `${process.name} ends the phase ${before.phase} of ${owner?.name}`);
    assert(!isWorker || before.halted === null, () => `${process.name} ends a phase of replay ${id}, which is halted`);
    assert(
      kind !== 'build' || phase !== 'promoted' || verification !== null,
      () => `replay ${id} is promoted without a verification`,
    );
    if (before.phase !== 'promoting' || phase !== 'promoted') return;
    const promotions = (this.#promotions.get(id) ?? 0) + 1;
    this.#promotions.set(id, promotions);
    assert(promotions === 1, () => `replay ${id} is promoted ${promotions} times`);
  }

  /** The view must show a live generation, and a table must have the rows up to its checkpoint. */
  #checkGeneration({ projection, generation, live, checkpoint, isDropped }: GenerationRow): void {
    const table = `${projection}_${generation}`;
    const { relations, views } = this.#tables;
    assert(!live || !isDropped, () => `the live generation ${table} is dropped`);
    assert(!isDropped || !relations.committed.has(table), () => `the table ${table} of a dropped generation exists`);
    if (live) {
      const shown = views.committed.get(projection)?.table;
      assert(shown === table, () => `the view of ${projection} shows ${shown}, and ${table} is live`);
      const before = this.#checkpoints.get(projection) ?? 0;
      assert(checkpoint >= before, () => `readers of ${projection} go from position ${before} back to ${checkpoint}`);
      this.#checkpoints.set(projection, checkpoint);
    }
    if (checkpoint === 0 || isDropped) return;
    assert(relations.committed.has(table), () => `the table ${table} does not exist`);
    const rows = this.#rowsOf(table);
    assert(
      rows.length === checkpoint && rows.every((position) => position <= checkpoint),
      () => `${table} has the rows ${rows.join()} at checkpoint ${checkpoint}`,
    );
  }

  #rowsOf(table: string): number[] {
    const rows: number[] = [];
    for (const row of this.#tables.rows.committed.values()) if (row.table === table) rows.push(row.position);
    return rows;
  }

  /** A cancelled replay must leave nothing behind, and an ended replay must release its projections. */
  #checkMember({ replay_id, projection, generation, active, filled, indexed }: MemberRow): void {
    const replay = this.#tables.replays.committed.get(String(replay_id));
    if (replay === undefined) return;
    const isEnded = ['promoted', 'cancelled', 'dropped'].includes(replay.phase);
    assert(!(isEnded && active), () => `replay ${replay_id} is ${replay.phase}, and still has ${projection}`);
    assert(filled || !['indexing', 'catching_up'].includes(replay.phase), () => `replay ${replay_id} is not filled`);
    assert(indexed || !['catching_up', 'verifying'].includes(replay.phase), () => `replay ${replay_id} is not indexed`);
    const isDropped = replay.phase === 'cancelled' && replay.kind === 'build';
    if (!isDropped && replay.phase !== 'dropped') return;
    const table = `${projection}_${generation}`;
    const own = this.#tables.generations.committed.get(`${projection}/${generation}`);
    assert(!isDropped || own?.isDropped === true, () => `the cancelled replay ${replay_id} leaves its generation`);
    assert(
      !this.#tables.relations.committed.has(table) || own?.isDropped === false,
      () => `the ended replay ${replay_id} leaves the table ${table}`,
    );
    const chunks = this.#tables.chunks.committed.values().filter((chunk) => chunk.replay_id === replay_id);
    assert(chunks.next().done === true, () => `the ended replay ${replay_id} leaves chunks`);
  }
}
