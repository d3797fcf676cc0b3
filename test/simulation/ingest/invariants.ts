import type { Answer, Sent } from '../kernel/database.ts';
import { InvariantError, type SimulatedProcess } from '../kernel/simulation.ts';
import { Values } from '../kernel/values.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { LogStore } from '../store/log-store.ts';
import { MOVING, revisionsOf, STREAM } from './stream.ts';

export const TOPIC = 'trips';
const SOURCE = `${TOPIC}/0`;

function assert(holds: boolean, describe: () => string): void {
  if (!holds) throw new InvariantError(describe());
}

/** The invariants that must hold after each commit, and those that must hold once all records are stored. */
export class IngestInvariants {
  readonly #lanes: readonly LogStore[];
  readonly #directory: DirectoryStore;
  /** The process that has claimed each epoch of a source, by lane, source and epoch. */
  readonly #owners = new Map<string, SimulatedProcess>();
  readonly #offsets = new Map<LogStore, number>();
  readonly #heads = new Map<LogStore, number>();

  constructor(lanes: readonly LogStore[], directory: DirectoryStore) {
    this.#lanes = lanes;
    this.#directory = directory;
  }

  /** Only the process that has claimed an epoch may move the offset in that epoch. */
  checkStatement(lane: LogStore, process: SimulatedProcess, { name, values }: Sent, answer: Answer): void {
    if (typeof answer === 'number') return;
    if (name === 'claim-source') {
      for (const row of answer) {
        if ('source_id' in row && 'epoch' in row)
          this.#owners.set(`${lane.name} ${row.source_id} ${row.epoch}`, process);
      }
    }
    if (name !== 'advance-sources' || answer.length === 0) return;
    const read = new Values(values);
    for (const [index, id] of read.numbers(0).entries()) {
      const epoch = read.numbers(1)[index];
      const owner = this.#owners.get(`${lane.name} ${id} ${epoch}`);
      assert(owner === process, () => `${process.name} commits in ${lane.name} in epoch ${epoch} of ${owner?.name}`);
    }
  }

  checkCommit(lane: LogStore): void {
    this.#checkLog(lane);
    this.#checkSource(lane);
    this.#checkCoverage();
  }

  #checkLog(lane: LogStore): void {
    const events = lane.events.committed;
    const head = lane.head.committed.get('head')?.position ?? 0;
    assert(head === events.size, () => `the head of ${lane.name} is ${head}, and it has ${events.size} stored events`);
    const source = lane.sources.committed.get(SOURCE);
    for (let position = (this.#heads.get(lane) ?? 0) + 1; position <= head; position += 1) {
      const event = events.get(String(position));
      if (event === undefined) throw new InvariantError(`${lane.name} has no stored event at position ${position}`);
      if (event.source_id !== source?.source_id) continue;
      const home = this.#directory.laneOf(event.fleet_id);
      assert(
        this.#lanes.indexOf(lane) === home,
        () => `${lane.name} stores offset ${event.source_offset} of the fleet ${event.fleet_id} of lane ${home}`,
      );
    }
    this.#heads.set(lane, head);
  }

  #checkSource(lane: LogStore): void {
    const source = lane.sources.committed.get(SOURCE);
    if (source === undefined) return;
    const { source_id, next_offset, read, elsewhere } = source;
    const before = this.#offsets.get(lane) ?? 0;
    assert(next_offset >= before, () => `the offset of ${lane.name} moves from ${before} back to ${next_offset}`);
    this.#offsets.set(lane, next_offset);
    assert(read === next_offset, () => `${lane.name} counts ${read} records up to offset ${next_offset}`);
    const own = this.#effects(lane);
    const [first] = Map.groupBy(own, (offset) => offset)
      .values()
      .filter((offsets) => offsets.length > 1);
    assert(first === undefined, () => `${lane.name} has two results for offset ${first?.[0]}`);
    assert(
      own.length === next_offset - elsewhere,
      () =>
        `source ${source_id} of ${lane.name} has ${own.length} results and ${elsewhere} records elsewhere up to offset ${next_offset}`,
    );
    assert(
      own.every((offset) => offset < next_offset),
      () => `${lane.name} has a result after offset ${next_offset}`,
    );
  }

  /** Lists the topic's offsets for which a lane contains a result. */
  #effects(lane: LogStore): number[] {
    const id = lane.sources.committed.get(SOURCE)?.source_id;
    const offsets: number[] = [];
    for (const table of [lane.events, lane.duplicates, lane.letters]) {
      for (const row of table.committed.values()) if (row.source_id === id) offsets.push(row.source_offset);
    }
    return offsets;
  }

  /** Every offset that all lanes have passed must have a result. */
  #checkCoverage(): void {
    const passed = Math.min(...this.#lanes.map((lane) => this.#offsets.get(lane) ?? 0));
    const found = new Set(this.#lanes.flatMap((lane) => this.#effects(lane)));
    for (let offset = 0; offset < passed; offset += 1) {
      assert(found.has(offset), () => `all lanes skip offset ${offset}`);
    }
  }

  /** Whether all lanes have read the whole stream. */
  get isComplete(): boolean {
    return this.#lanes.every((lane) => this.#offsets.get(lane) === STREAM.length);
  }

  /** Checks the final state, when no fleet is moving. */
  checkEnd(): void {
    for (const { fleet_id, lane: home } of this.#directory.fleets.committed.values()) {
      const lane = this.#lanes[home];
      const held = [...(lane?.events.committed.values() ?? [])]
        .filter((event) => event.fleet_id === fleet_id)
        .map(({ driver_id, revision, content_hash }) => `${fleet_id}/${driver_id} ${revision} ${content_hash}`);
      const expected = revisionsOf(fleet_id);
      assert(
        held.sort().join() === expected.join(),
        () => `the lane of ${fleet_id} holds ${held.length} of its ${expected.length} revisions, or other ones`,
      );
    }
    const fences = this.#lanes.map((lane) => lane.fences.committed.get(MOVING));
    if (fences.every((fence) => fence === undefined)) return;
    const home = this.#directory.laneOf(MOVING);
    for (const [lane, fence] of fences.entries()) {
      assert(
        (fence?.stores ?? true) === (lane === home) && (fence?.passes ?? true) === (lane !== home),
        () => `the fence of lane ${lane} is ${JSON.stringify(fence)}, and the fleet is in lane ${home}`,
      );
    }
  }
}
