import type { ServerTransaction } from '../kernel/table.ts';
import type { Handler } from './replay-store.ts';
import type { GenerationRow, MemberRow, ReplayTables } from './replay-tables.ts';

/** The statements that insert replays with their members, and those that drop generations. */
export function requestStatements(tables: ReplayTables, now: () => number): [string, Handler][] {
  let lastId = 0;
  const liveOf = (transaction: ServerTransaction, name: string) =>
    tables.generations.all(transaction).find(({ projection, live }) => projection === name && live);
  const addMember = (transaction: ServerTransaction, member: MemberRow) => {
    const { replay_id, projection } = member;
    tables.members.insert(transaction, `${replay_id}/${projection}`, member);
    tables.active.insert(transaction, projection, { replay_id });
    return 1;
  };
  const isReplaced = (transaction: ServerTransaction, generation: GenerationRow, id: number) =>
    tables.members.all(transaction).some((newer) => {
      const live = tables.generations.get(transaction, `${newer.projection}/${newer.generation}`)?.live;
      const isNewer = newer.replay_id > id && newer.projection === generation.projection;
      return isNewer && newer.replaced_generation === generation.generation && live === true;
    });
  return [
    [
      'find-active-replays',
      (transaction, values) => {
        const names = values.texts(0);
        const members = tables.members
          .all(transaction)
          .filter((member) => member.active && names.includes(member.projection));
        return tables.replays.all(transaction).filter(({ id }) => members.some(({ replay_id }) => replay_id === id));
      },
    ],
    [
      'insert-replay',
      (transaction, values) => {
        lastId += 1;
        const names = values.texts(8);
        const checkpoints = names.map((name) => liveOf(transaction, name)?.checkpoint ?? 0);
        tables.replays.insert(transaction, String(lastId), {
          id: lastId,
          kind: values.text(0),
          projection: values.text(1),
          phase: values.text(2),
          cutoff: values.textOrNull(3),
          promote: values.boolean(4),
          accept_differences: values.boolean(5),
          throttle: values.text(6),
          requested_by: values.text(7),
          target: Math.max(0, ...checkpoints),
          halted: null,
          error: null,
          verification: null,
          created_at: new Date(now()),
          finished_at: null,
          epoch: 0,
          leaseUntil: null,
        });
        return [{ id: lastId }];
      },
    ],
    [
      'insert-replayed-generation',
      (transaction, values) => {
        const name = values.text(0);
        const numbers = tables.generations.all(transaction).filter(({ projection }) => projection === name);
        const generation = Math.max(0, ...numbers.map((each) => each.generation)) + 1;
        const row = { projection: name, generation, version: values.number(1), checkpoint: 0, cutoff: null };
        tables.generations.insert(transaction, `${name}/${generation}`, { ...row, live: false, isDropped: false });
        return [{ generation }];
      },
    ],
    [
      'insert-replay-member',
      (transaction, values) => {
        const [replay_id, projection, generation] = [values.number(0), values.text(1), values.number(2)];
        const target = liveOf(transaction, projection)?.checkpoint ?? 0;
        const first = tables.members.all(transaction).find((member) => {
          const isOf = member.replay_id === replay_id && values.texts(3).includes(member.projection);
          return isOf && member.filled_with === null && member.target === target;
        });
        const state = { stage: null, filled: false, indexed: false, replaced_generation: null, active: true };
        return addMember(transaction, {
          ...{ replay_id, projection, generation, target, ...state },
          filled_with: first?.projection ?? null,
        });
      },
    ],
    [
      'insert-roll-back-member',
      (transaction, values) => {
        const [replay_id, projection, generation] = [values.number(0), values.text(1), values.number(2)];
        const target = liveOf(transaction, projection)?.checkpoint ?? 0;
        const state = { stage: null, filled: true, indexed: true, replaced_generation: null, active: true };
        return addMember(transaction, { replay_id, projection, generation, target, ...state, filled_with: null });
      },
    ],
    [
      'renew-replay-request',
      (transaction, values) =>
        tables.update(
          transaction,
          tables.replays,
          ({ id }) => id === values.number(0),
          (replay) => {
            const isWaiting = replay.phase === 'waiting';
            return {
              ...replay,
              promote: replay.promote || values.boolean(1),
              accept_differences: replay.accept_differences || values.boolean(2),
              ...(isWaiting ? { throttle: values.text(3), error: null, phase: 'catching_up' } : {}),
            };
          },
        ).length,
    ],
    [
      'find-earlier-generation',
      (transaction, values) => {
        const live = liveOf(transaction, values.text(0));
        const [newest] = tables.members
          .all(transaction)
          .filter(({ projection, generation }) => projection === live?.projection && generation === live.generation)
          .sort((one, other) => other.replay_id - one.replay_id)
          .flatMap(({ projection, replaced_generation, replay_id }) => {
            const earlier = tables.generations.get(transaction, `${projection}/${replaced_generation}`);
            return earlier === undefined || earlier.isDropped ? [] : [{ ...earlier, replay_id }];
          });
        return newest === undefined ? [] : [newest];
      },
    ],
    [
      'release-replay-members',
      (transaction, values) => {
        const isOf = ({ replay_id, active }: MemberRow) => replay_id === values.number(0) && active;
        const released = tables.update(transaction, tables.members, isOf, (member) => ({ ...member, active: false }));
        for (const { projection } of released) tables.active.put(transaction, projection, null);
        return released.length;
      },
    ],
    [
      'list-droppable-generations',
      (transaction, values) => {
        const [id, kind, phase] = [values.number(0), values.text(1), values.text(2)];
        const members = tables.members.all(transaction);
        const own = members.filter(({ replay_id }) => replay_id === id);
        const isOf = ({ projection, generation }: GenerationRow) =>
          own.some((member) => {
            if (member.projection !== projection) return false;
            const isBuilt = member.generation === generation && (kind === 'build' || phase === 'dropping');
            return isBuilt || (member.replaced_generation === generation && phase === 'dropping');
          });
        const isNeeded = ({ projection, generation }: GenerationRow) =>
          members.some((other) => {
            const isSame = other.projection === projection && other.generation === generation;
            return isSame && other.active && other.replay_id !== id;
          });
        const isDroppable = (generation: GenerationRow) =>
          isOf(generation) &&
          !generation.live &&
          !generation.isDropped &&
          !isNeeded(generation) &&
          !isReplaced(transaction, generation, id);
        return tables.generations.entries(transaction).flatMap(([key, row]) => {
          const newest = isDroppable(row) ? tables.generations.lock(transaction, key) : undefined;
          return newest && isDroppable(newest) ? [newest] : [];
        });
      },
    ],
    [
      'has-live-replay-member',
      (transaction, values) =>
        tables.members.all(transaction).filter(({ replay_id, projection, generation }) => {
          return (
            replay_id === values.number(0) &&
            tables.generations.get(transaction, `${projection}/${generation}`)?.live === true
          );
        }).length,
    ],
    [
      'mark-generations-dropped',
      (transaction, values) => {
        const keys = values.texts(0).map((name, index) => `${name}/${values.numbers(1)[index]}`);
        const isNamed = ({ projection, generation }: GenerationRow) => keys.includes(`${projection}/${generation}`);
        return tables.update(transaction, tables.generations, isNamed, (row) => ({ ...row, isDropped: true })).length;
      },
    ],
  ];
}
