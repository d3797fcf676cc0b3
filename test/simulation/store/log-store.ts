import { DRIVER_PROFILE } from '@milepost/domain/stored-event';
import type { Answer, Sent, SimulatedDatabase } from '../kernel/pool.ts';
import type { SimulatedProcess } from '../kernel/simulation.ts';
import { Server, type ServerTransaction, serverError, Table } from '../kernel/table.ts';
import { Values } from './values.ts';

interface SourceRow {
  source_id: number;
  topic: string;
  partition: number;
  epoch: number;
  next_offset: number;
  last_offset: number | null;
  last_timestamp: number | null;
  last_hash: Buffer | null;
  fault: string | null;
  stopped: boolean;
  read: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
  elsewhere: number;
}

interface EventRow {
  position: number;
  source_id: number;
  source_offset: number;
  fleet_id: string;
  driver_id: string;
  revision: number;
  supersedes: number | null;
  effective: boolean;
  content_hash: string;
  first_name: string | null;
}

/** A duplicate or a dead letter. */
interface OtherRow {
  source_id: number;
  source_offset: number;
  fleets: string | null;
}

interface FenceRow {
  fleet_id: string;
  stores: boolean;
  passes: boolean;
  epoch: number;
}

const HEAD = 'head';
type Handler = (transaction: ServerTransaction, values: Values) => Answer;

/**
 * The event log's tables in a lane, and the statements in `packages/core/event-log` and `packages/operator/fleet-move`
 * that use them. `test/integration/simulated-log.test.ts` compares them with PostgreSQL. The only records in the
 * simulation are driver profiles.
 */
export class LogStore implements SimulatedDatabase {
  readonly name: string;
  readonly server = new Server();
  isDown = false;
  onCommit: (process: SimulatedProcess) => void = () => {};
  onStatement: SimulatedDatabase['onStatement'] = () => {};
  readonly head = new Table<{ position: number; hasErasures: boolean; hasFences: boolean }>();
  readonly sources = new Table<SourceRow>();
  readonly events = new Table<EventRow>();
  /** The unique keys of the stored events. */
  readonly keys = new Table<{ position: number }>();
  readonly duplicates = new Table<OtherRow>();
  readonly letters = new Table<OtherRow>();
  readonly fences = new Table<FenceRow>();
  #lastId = 0;
  readonly #handlers: ReadonlyMap<string, Handler>;

  constructor(name: string) {
    this.name = name;
    this.head.load(HEAD, { position: 0, hasErasures: false, hasFences: false });
    this.#handlers = new Map<string, Handler>([
      ['lock-head', this.#lockHead],
      ['read-head', (transaction) => this.head.all(transaction).map(({ position }) => ({ position }))],
      ['advance-head', (transaction, values) => this.#changeHead(transaction, { position: values.number(0) })],
      ['mark-head-fences', (transaction) => this.#changeHead(transaction, { hasFences: true })],
      ['find-revisions', this.#findRevisions],
      ['insert-duplicates', this.#insertDuplicates],
      ['insert-dead-letters', this.#insertDeadLetters],
      ['claim-source', this.#claimSource],
      ['advance-sources', this.#advanceSources],
      ['mark-known-source-fault', (transaction, values) => this.#markFault(transaction, values, false)],
      ['mark-new-source-fault', (transaction, values) => this.#markFault(transaction, values, true)],
      ['clear-source-fault', this.#clearFault],
      ['list-stopped-sources', (transaction) => this.sources.all(transaction).filter(({ stopped }) => stopped)],
      ['list-refused-fleets', this.#listRefused],
      ['set-fleet-fence', this.#setFence],
      ['count-erasures-of-fleet', () => [{ erasures: 0 }]],
      // In the simulation, no operator sets a stored event aside.
      ['set-aside-events-of-fleet', () => []],
      ['count-open-dead-letters-of-fleet', this.#countLetters],
      ['digest-of-fleet', this.#digest],
      ['archive-read-events-of-fleet', this.#readEventsOfFleet],
      ['read-offsets-of-topics', this.#readOffsets],
      // The simulation's projector has always applied the whole log.
      [
        'read-live-checkpoint',
        (transaction) => this.head.all(transaction).map((row) => ({ checkpoint: row.position })),
      ],
    ]);
  }

  run(transaction: ServerTransaction, { name, text, values }: Sent): Answer {
    if (name === '' && text.startsWith('COPY stored_event ')) return this.#copyEvents(transaction, text, values);
    const handler = this.#handlers.get(name);
    if (handler === undefined) throw new Error(`The simulation has no statement "${name || text}".`);
    return handler(transaction, new Values(values));
  }

  /** While the head is locked, other processes cannot observe exactly when a statement runs. */
  isImmediate({ name, text }: Sent): boolean {
    return (
      text.startsWith('COPY') ||
      ['find-revisions', 'insert-duplicates', 'insert-dead-letters', 'advance-head', 'mark-head-fences'].includes(name)
    );
  }

  #lockHead = (transaction: ServerTransaction) => {
    const head = this.head.lock(transaction, HEAD);
    return head ? [{ ...head, now: '2026-01-01' }] : [];
  };

  #changeHead = (transaction: ServerTransaction, change: { position?: number; hasFences?: boolean }) => {
    const head = this.head.lock(transaction, HEAD);
    if (!head) return 0;
    this.head.put(transaction, HEAD, { ...head, ...change });
    return 1;
  };

  #findRevisions = (transaction: ServerTransaction, values: Values) => {
    const drivers = values.texts(2);
    const wanted = new Set(values.texts(1).map((fleetId, index) => `${fleetId}/${drivers[index]}`));
    return this.events
      .all(transaction)
      .filter(({ fleet_id, driver_id }) => wanted.has(`${fleet_id}/${driver_id}`))
      .map((event) => ({ ...event, trip_id: null }));
  };

  #copyEvents(transaction: ServerTransaction, text: string, values: readonly unknown[]): number {
    const names = text.slice(text.indexOf('(') + 1, text.indexOf(')')).split(', ');
    const lines = new Values(values).bytes(0).toString().split('\n').slice(0, -1);
    const at = (name: string) => names.indexOf(name);
    for (const line of lines) {
      const fields = line.split('\t');
      const field = (name: string) => fields[at(name)] ?? '';
      const supersedes = field('supersedes');
      const event: EventRow = {
        position: Number(field('position')),
        source_id: Number(field('source_id')),
        source_offset: Number(field('source_offset')),
        fleet_id: field('fleet_id'),
        driver_id: field('driver_id'),
        revision: Number(field('revision')),
        supersedes: supersedes === '\\N' ? null : Number(supersedes),
        effective: field('effective') === 't',
        content_hash: field('content_hash').slice(3),
        first_name: field('first_name') === '\\N' ? null : field('first_name'),
      };
      const { position, fleet_id, driver_id, revision } = event;
      this.keys.insert(transaction, `revision ${fleet_id}/${driver_id}/${revision}`, { position });
      if (event.supersedes !== null) this.keys.insert(transaction, `supersedes ${event.supersedes}`, { position });
      this.events.insert(transaction, String(position), event);
    }
    return lines.length;
  }

  #insertDuplicates = (transaction: ServerTransaction, values: Values) => {
    const offsets = values.numbers(1);
    for (const [index, source_id] of values.numbers(0).entries()) {
      const row = { source_id, source_offset: offsets[index] ?? -1, fleets: null };
      this.duplicates.insert(transaction, this.#nextId(), row);
    }
    return offsets.length;
  };

  #insertDeadLetters = (transaction: ServerTransaction, values: Values) => {
    const offsets = values.numbers(2);
    const fleets = values.textsOrNull(9);
    return values.numbers(1).map((source_id, index) => {
      const source_offset = offsets[index] ?? -1;
      const id = this.#nextId();
      this.letters.insert(transaction, id, { source_id, source_offset, fleets: fleets[index] ?? null });
      return { id: Number(id), source_id, source_offset };
    });
  };

  #claimSource = (transaction: ServerTransaction, values: Values) => {
    const [topic, partition] = [values.text(0), values.number(1)];
    const key = `${topic}/${partition}`;
    const known = this.sources.lock(transaction, key);
    const counts = { read: 0, stored: 0, duplicates: 0, dead_letters: 0, elsewhere: 0 };
    const last = { last_offset: null, last_timestamp: null, last_hash: null, fault: null, stopped: false };
    const source: SourceRow = known
      ? { ...known, epoch: known.epoch + 1 }
      : { source_id: Number(this.#nextId()), topic, partition, epoch: 1, next_offset: 0, ...last, ...counts };
    this.sources.put(transaction, key, source);
    return [{ ...source, stopped: source.stopped ? source.fault : null }];
  };

  /** Locks the sources that meet a condition, and rechecks the condition on their latest versions. */
  #lockSources(
    transaction: ServerTransaction,
    condition: (source: SourceRow) => boolean,
  ): { key: string; source: SourceRow }[] {
    return this.sources.entries(transaction).flatMap(([key, row]) => {
      const source = condition(row) ? this.sources.lock(transaction, key) : undefined;
      return source && condition(source) ? [{ key, source }] : [];
    });
  }

  #advanceSources = (transaction: ServerTransaction, values: Values) => {
    const [ids, epochs, expected, next] = [values.numbers(0), values.numbers(1), values.numbers(2), values.numbers(3)];
    const [read, stored, duplicates] = [values.numbers(4), values.numbers(5), values.numbers(6)];
    const [letters, elsewhere] = [values.numbers(7), values.numbers(11)];
    const [offsets, timestamps, hashes] = [values.numbersOrNull(8), values.numbersOrNull(9), values.buffersOrNull(10)];
    const indexOf = (source: SourceRow) =>
      ids.findIndex(
        (id, index) =>
          source.source_id === id &&
          source.epoch === epochs[index] &&
          source.next_offset === expected[index] &&
          !source.stopped,
      );
    const locked = this.#lockSources(transaction, (source) => indexOf(source) >= 0);
    for (const { key, source } of locked) {
      const index = indexOf(source);
      const at = (list: readonly number[]) => list[index] ?? 0;
      const moved = {
        ...source,
        next_offset: at(next),
        read: source.read + at(read) + at(elsewhere),
        stored: source.stored + at(stored),
        duplicates: source.duplicates + at(duplicates),
        dead_letters: source.dead_letters + at(letters),
        elsewhere: source.elsewhere + at(elsewhere),
        last_offset: offsets[index] ?? source.last_offset,
        last_timestamp: timestamps[index] ?? source.last_timestamp,
        last_hash: offsets[index] == null ? source.last_hash : (hashes[index] ?? null),
        fault: null,
      };
      if (moved.read !== moved.stored + moved.duplicates + moved.dead_letters + moved.elsewhere)
        throw serverError('23514', 'log_source_counts is violated');
      this.sources.put(transaction, key, moved);
    }
    return locked.map(({ source: { source_id } }) => ({ source_id }));
  };

  #markFault(transaction: ServerTransaction, values: Values, isNew: boolean): number {
    const [ids, epochs, fault, stopped] = [values.numbers(0), values.numbers(1), values.text(2), values.boolean(3)];
    const holds = (source: SourceRow) =>
      ids.some((id, index) => source.source_id === id && source.epoch === epochs[index]) &&
      (!source.stopped || stopped) &&
      (source.fault === null || (!source.stopped && stopped)) === isNew;
    const locked = this.#lockSources(transaction, holds);
    for (const { key, source } of locked) this.sources.put(transaction, key, { ...source, fault, stopped });
    return locked.length;
  }

  #clearFault = (transaction: ServerTransaction, values: Values) => {
    const [id, epoch] = [values.number(0), values.number(1)];
    const holds = (source: SourceRow) => source.source_id === id && source.epoch === epoch && source.fault !== null;
    const locked = this.#lockSources(transaction, holds);
    for (const { key, source } of locked)
      this.sources.put(transaction, key, { ...source, fault: null, stopped: false });
    return locked.length;
  };

  #listRefused = (transaction: ServerTransaction, values: Values) => {
    const [stored, passed] = [values.texts(0), values.texts(1)];
    return this.fences
      .all(transaction)
      .filter(({ fleet_id, stores, passes }) => {
        return (stored.includes(fleet_id) && !stores) || (passed.includes(fleet_id) && !passes);
      })
      .map(({ fleet_id }) => ({ fleet_id }));
  };

  #setFence = (transaction: ServerTransaction, values: Values) => {
    const [fleet_id, stores, passes, epoch] = [values.text(0), values.boolean(1), values.boolean(2), values.number(3)];
    const known = this.fences.lock(transaction, fleet_id);
    if (known && known.epoch > epoch) return 0;
    this.fences.put(transaction, fleet_id, { fleet_id, stores, passes, epoch });
    return 1;
  };

  #countLetters = (transaction: ServerTransaction, values: Values) => {
    const fleets = `{"${values.text(0)}"}`;
    return [{ letters: this.letters.all(transaction).filter((letter) => letter.fleets === fleets).length }];
  };

  #inRange(transaction: ServerTransaction, fleetId: string, after: number, through: number): EventRow[] {
    return this.events
      .all(transaction)
      .filter(({ fleet_id, position }) => fleet_id === fleetId && position > after && position <= through)
      .sort((one, other) => one.position - other.position);
  }

  /** The digest covers the same columns as PostgreSQL's, but is computed by a different function. */
  #digest = (transaction: ServerTransaction, values: Values) => {
    const events = this.#inRange(transaction, values.text(0), values.number(1), values.number(2));
    const sum = events.reduce((total, { content_hash, revision, effective }) => {
      return total + Number.parseInt(content_hash.slice(0, 10), 16) * (effective ? 2 : 1) + revision;
    }, 0);
    return [{ stored_events: events.length, digest: String(sum) }];
  };

  #readEventsOfFleet = (transaction: ServerTransaction, values: Values) => {
    const profile = { topic: 'trips', partition: 0, stored_at: '', kind: DRIVER_PROFILE, erased: false };
    return this.#inRange(transaction, values.text(2), values.number(0), values.number(1)).map((event) => ({
      ...event,
      ...profile,
      last_name: null,
      email: null,
      alias: null,
      traceparent: null,
      set_aside: null,
    }));
  };

  #readOffsets = (transaction: ServerTransaction) =>
    this.sources.all(transaction).filter(({ topic }) => !topic.includes(':'));

  #nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }
}
