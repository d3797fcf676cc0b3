import type { ServerTransaction } from '../kernel/table.ts';
import type { Handler } from './replay-store.ts';
import type { ChunkRow, GenerationRow, MemberRow, ReplayTables } from './replay-tables.ts';
import type { Values } from './values.ts';

const keysOf = (values: Values, names: number, numbers: number) => {
  const generations = values.numbers(numbers);
  return new Set(values.texts(names).map((name, index) => `${name}/${generations[index]}`));
};
const keyOf = ({ projection, generation }: { projection: string; generation: number }) => `${projection}/${generation}`;

/** The statements with which the steps of a replay change chunks, members and generations. */
export function buildingStatements(tables: ReplayTables): [string, Handler][] {
  const memberKey = (values: Values) => `${values.number(0)}/${values.text(1)}`;
  const lockGenerations = (transaction: ServerTransaction, isWanted: (row: GenerationRow) => boolean) =>
    tables.generations
      .entries(transaction)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([key, row]) => {
        const newest = isWanted(row) ? tables.generations.lock(transaction, key) : undefined;
        return newest && isWanted(newest) ? [newest] : [];
      });
  const changeMembers = (transaction: ServerTransaction, values: Values, change: Partial<MemberRow>) =>
    tables.update(
      transaction,
      tables.members,
      ({ replay_id, projection, filled_with }) =>
        replay_id === values.number(0) && (filled_with ?? projection) === values.text(1),
      (member) => ({ ...member, ...change }),
    ).length;
  const deleteChunks = (transaction: ServerTransaction, isWanted: (chunk: ChunkRow) => boolean) => {
    for (const [key, chunk] of tables.chunks.entries(transaction))
      if (isWanted(chunk)) tables.chunks.put(transaction, key, null);
    return 0;
  };
  return [
    [
      'read-replay-members',
      (transaction, values) =>
        tables.members
          .all(transaction)
          .filter(({ replay_id }) => replay_id === values.number(0))
          .map((member) => ({ ...tables.generations.get(transaction, keyOf(member)), ...member })),
    ],
    [
      'take-replay-chunk',
      (transaction, values) => {
        for (const [key, chunk] of tables.chunks.entries(transaction)) {
          const member = tables.members.get(transaction, `${chunk.replay_id}/${chunk.projection}`);
          if (chunk.replay_id !== values.number(0) || chunk.done || member?.stage !== chunk.stage) continue;
          const newest = tables.chunks.lockFree(transaction, key);
          if (newest && !newest.done) return [newest];
        }
        return [];
      },
    ],
    [
      'finish-replay-chunk',
      (transaction, values) => {
        const key = `${memberKey(values)}/${values.number(2)}/${values.number(3)}`;
        const chunk = tables.chunks.lock(transaction, key);
        if (chunk) tables.chunks.put(transaction, key, { ...chunk, done: true });
        return chunk ? 1 : 0;
      },
    ],
    [
      'lock-replay-member',
      (transaction, values) => {
        const member = tables.members.lockFree(transaction, memberKey(values));
        return member ? [member] : [];
      },
    ],
    [
      'has-open-replay-chunks',
      (transaction, values) =>
        tables.chunks.all(transaction).some(({ replay_id, projection, stage, done }) => {
          return replay_id === values.number(0) && projection === values.text(1) && stage === values.number(2) && !done;
        })
          ? 1
          : 0,
    ],
    [
      'insert-replay-chunks',
      (transaction, values) => {
        const planned: Pick<ChunkRow, 'after' | 'through' | 'events'>[] = JSON.parse(values.text(3));
        const [replay_id, projection, stage] = [values.number(0), values.text(1), values.number(2)];
        for (const [index, chunk] of planned.entries()) {
          const key = `${replay_id}/${projection}/${stage}/${index + 1}`;
          const row = { replay_id, projection, stage, chunk: index + 1, done: false, ...chunk };
          tables.chunks.insert(transaction, key, row);
        }
        return planned.length;
      },
    ],
    ['set-replay-stage', (transaction, values) => changeMembers(transaction, values, { stage: values.number(2) })],
    ['set-replay-filled', (transaction, values) => changeMembers(transaction, values, { filled: true })],
    [
      'read-unindexed-replay-members',
      (transaction, values) =>
        tables.members.all(transaction).filter((member) => member.replay_id === values.number(0) && !member.indexed),
    ],
    [
      'lock-replay-indexed',
      (transaction, values) => {
        const member = tables.members.lock(transaction, memberKey(values));
        return member ? [member] : [];
      },
    ],
    [
      'set-replay-indexed',
      (transaction, values) => {
        const [id, name] = [values.number(0), values.text(1)];
        const generation = `${name}/${values.number(2)}`;
        const checkpoint = values.number(3);
        const isMember = ({ replay_id, projection }: MemberRow) => replay_id === id && projection === name;
        tables.update(transaction, tables.members, isMember, (member) => ({ ...member, indexed: true }));
        deleteChunks(transaction, ({ replay_id, projection }) => replay_id === id && projection === name);
        const isNamed = (row: GenerationRow) => keyOf(row) === generation;
        return tables.update(transaction, tables.generations, isNamed, (row) => ({ ...row, checkpoint })).length;
      },
    ],
    [
      'delete-replay-chunks',
      (transaction, values) => deleteChunks(transaction, ({ replay_id }) => replay_id === values.number(0)),
    ],
    [
      'lock-live-generations',
      (transaction, values) => {
        const names = values.texts(0);
        return lockGenerations(transaction, ({ live, projection }) => live && names.includes(projection));
      },
    ],
    [
      'lock-generations',
      (transaction, values) => {
        const keys = keysOf(values, 0, 1);
        return lockGenerations(transaction, (row) => keys.has(keyOf(row)));
      },
    ],
    [
      'live-checkpoints',
      (transaction, values) => {
        const names = values.texts(0);
        return tables.generations.all(transaction).filter(({ live, projection }) => live && names.includes(projection));
      },
    ],
    [
      'move-checkpoints',
      (transaction, values) => {
        const keys = keysOf(values, 2, 3);
        const isDue = (row: GenerationRow) => row.checkpoint === values.number(0) && keys.has(keyOf(row));
        const checkpoint = values.number(1);
        return tables.update(transaction, tables.generations, isDue, (row) => ({ ...row, checkpoint })).length;
      },
    ],
    [
      'retire-generations',
      (transaction, values) => {
        const keys = keysOf(values, 0, 1);
        return tables.setLive(transaction, (row) => keys.has(keyOf(row)), false);
      },
    ],
    [
      'make-generations-live',
      (transaction, values) => {
        const keys = keysOf(values, 0, 1);
        return tables.setLive(transaction, (row) => keys.has(keyOf(row)), true);
      },
    ],
    [
      'record-replaced-generations',
      (transaction, values) => {
        const generations = values.numbers(2);
        let changed = 0;
        for (const [index, name] of values.texts(1).entries()) {
          const isMember = ({ replay_id, projection }: MemberRow) =>
            replay_id === values.number(0) && projection === name;
          const replaced_generation = generations[index] ?? null;
          const rows = tables.update(transaction, tables.members, isMember, (row) => ({ ...row, replaced_generation }));
          changed += rows.length;
        }
        return changed;
      },
    ],
  ];
}
