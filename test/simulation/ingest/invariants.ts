import type { Answer, Sent } from '../kernel/database.ts';
import { InvariantError, type SimulatedProcess } from '../kernel/simulation.ts';
import { readValues } from '../kernel/values.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { LogStore } from '../store/log-store.ts';
import { MOVING, revisionsOf, STREAM } from './stream.ts';

export const TOPIC = 'trips';
const SOURCE = `${TOPIC}/0`;

function assert(holds: boolean, describe: () => string): void {
  if (!holds) throw new InvariantError(describe());
}

/** The invariants that must hold after each commit, and those that must hold once all records are stored. */
export function createInvariants(lanes: readonly LogStore[], directory: DirectoryStore) {
  /** The process that has claimed each epoch of a source, by lane, source and epoch. */
  const owners = new Map<string, SimulatedProcess>();
  const passedOffsets = new Map<LogStore, number>();
  const heads = new Map<LogStore, number>();

  /** Only the process that has claimed an epoch may move the offset in that epoch. */
  function checkStatement(lane: LogStore, process: SimulatedProcess, { name, values }: Sent, answer: Answer): void {
    if (typeof answer === 'number') return;
    if (name === 'claim-source') {
      for (const row of answer) {
        if ('source_id' in row && 'epoch' in row) owners.set(`${lane.name} ${row.source_id} ${row.epoch}`, process);
      }
    }
    if (name !== 'advance-sources' || answer.length === 0) return;
    const read = readValues(values);
    for (const [index, id] of read.numbers(0).entries()) {
      const epoch = read.numbers(1)[index];
      const owner = owners.get(`${lane.name} ${id} ${epoch}`);
      assert(owner === process, () => `${process.name} commits in ${lane.name} in epoch ${epoch} of ${owner?.name}`);
    }
  }

  function checkCommit(lane: LogStore): void {
    checkLog(lane);
    checkSource(lane);
    checkCoverage();
  }

  function checkLog(lane: LogStore): void {
    const events = lane.events.committed;
    const head = lane.head.committed.get('head')?.position ?? 0;
    assert(head === events.size, () => `the head of ${lane.name} is ${head}, and it has ${events.size} stored events`);
    const source = lane.sources.committed.get(SOURCE);
    for (let position = (heads.get(lane) ?? 0) + 1; position <= head; position += 1) {
      const event = events.get(String(position));
      if (event === undefined) throw new InvariantError(`${lane.name} has no stored event at position ${position}`);
      if (event.source_id !== source?.source_id) continue;
      const home = directory.laneOf(event.fleet_id);
      assert(
        lanes.indexOf(lane) === home,
        () => `${lane.name} stores offset ${event.source_offset} of the fleet ${event.fleet_id} of lane ${home}`,
      );
    }
    heads.set(lane, head);
  }

  function checkSource(lane: LogStore): void {
    const source = lane.sources.committed.get(SOURCE);
    if (source === undefined) return;
    const { source_id, next_offset, read, elsewhere } = source;
    const before = passedOffsets.get(lane) ?? 0;
    assert(next_offset >= before, () => `the offset of ${lane.name} moves from ${before} back to ${next_offset}`);
    passedOffsets.set(lane, next_offset);
    assert(read === next_offset, () => `${lane.name} counts ${read} records up to offset ${next_offset}`);
    const own = effects(lane);
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
  function effects(lane: LogStore): number[] {
    const id = lane.sources.committed.get(SOURCE)?.source_id;
    const offsets: number[] = [];
    for (const table of [lane.events, lane.duplicates, lane.letters]) {
      for (const row of table.committed.values()) if (row.source_id === id) offsets.push(row.source_offset);
    }
    return offsets;
  }

  /** Every offset that all lanes have passed must have a result. */
  function checkCoverage(): void {
    const passed = Math.min(...lanes.map((lane) => passedOffsets.get(lane) ?? 0));
    const found = new Set(lanes.flatMap((lane) => effects(lane)));
    for (let offset = 0; offset < passed; offset += 1) {
      assert(found.has(offset), () => `all lanes skip offset ${offset}`);
    }
  }

  /** Whether all lanes have read the whole stream. */
  function isComplete(): boolean {
    return lanes.every((lane) => passedOffsets.get(lane) === STREAM.length);
  }

  /** Checks the final state, when no fleet is moving. */
  function checkEnd(): void {
    for (const { fleet_id, lane: home } of directory.fleets.committed.values()) {
      const lane = lanes[home];
      const held = [...(lane?.events.committed.values() ?? [])]
        .filter((event) => event.fleet_id === fleet_id)
        .map(({ driver_id, revision, content_hash }) => `${fleet_id}/${driver_id} ${revision} ${content_hash}`);
      const expected = revisionsOf(fleet_id);
      assert(
        held.sort().join() === expected.join(),
        () => `the lane of ${fleet_id} holds ${held.length} of its ${expected.length} revisions, or other ones`,
      );
    }
    const fences = lanes.map((lane) => lane.fences.committed.get(MOVING));
    if (fences.every((fence) => fence === undefined)) return;
    const home = directory.laneOf(MOVING);
    for (const [lane, fence] of fences.entries()) {
      assert(
        (fence?.stores ?? true) === (lane === home) && (fence?.passes ?? true) === (lane !== home),
        () => `the fence of lane ${lane} is ${JSON.stringify(fence)}, and the fleet is in lane ${home}`,
      );
    }
  }

  return { checkStatement, checkCommit, isComplete, checkEnd };
}
