import { DRIVER_PROFILE } from '@milepost/domain/vocabulary';
import { type Answer, type Handlers, type Sent, SimulatedDatabase } from '../kernel/database.ts';
import { type ServerTransaction, serverError, Table } from '../kernel/table.ts';
import { readValues, type Values } from '../kernel/values.ts';

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

/** A duplicate with the position of the same content, or a dead letter with the fleets that it names. */
interface OtherRow {
  position: number | null;
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
/** While the head is locked, other processes cannot observe exactly when these statements run. */
const IMMEDIATE = ['find-revisions', 'insert-duplicates', 'insert-dead-letters', 'advance-head', 'mark-head-fences'];

/**
 * The event log's tables in a lane, and the statements in `packages/core/event-log` and `packages/operator/fleet-move`
 * that use them. `test/integration/simulated-log.test.ts` compares them with PostgreSQL. The only records in the
 * simulation are driver profiles.
 */
export class LogStore extends SimulatedDatabase {
  readonly head = new Table<{ position: number; hasErasures: boolean; hasFences: boolean }>();
  readonly sources = new Table<SourceRow>();
  readonly events = new Table<EventRow>();
  /** The unique keys of the stored events. */
  readonly keys = new Table<{ position: number }>();
  readonly duplicates = new Table<OtherRow>();
  readonly letters = new Table<OtherRow>();
  readonly fences = new Table<FenceRow>();

  protected override readonly handlers: Handlers = {
    'lock-head': (transaction) => {
      const head = this.head.lock(transaction, HEAD);
      return head ? [{ ...head, now: '2026-01-01' }] : [];
    },
    'read-head': (transaction) => this.head.all(transaction),
    'advance-head': (transaction, values) => this.#changeHead(transaction, { position: values.number(0) }),
    'mark-head-fences': (transaction) => this.#changeHead(transaction, { hasFences: true }),
    'find-revisions': (transaction, values) => {
      const wanted = new Set(values.texts(1));
      const known = this.events.all(transaction).map(({ fleet_id, driver_id, content_hash, ...event }) => {
        return { ...event, subject: `${fleet_id}/${driver_id}`, contentHash: content_hash };
      });
      return known.filter(({ subject }) => wanted.has(subject));
    },
    'insert-duplicates': (transaction, values) => {
      const [offsets, positions] = [values.numbers(1), values.numbers(2)];
      for (const [index, source_id] of values.numbers(0).entries()) {
        const row = { source_id, source_offset: offsets[index] ?? -1, position: positions[index] ?? -1, fleets: null };
        this.duplicates.insert(transaction, String(this.nextId()), row);
      }
      return offsets.length;
    },
    'insert-dead-letters': (transaction, values) => {
      const offsets = values.numbers(2);
      const fleets = values.textsOrNull(9);
      return values.numbers(1).map((source_id, index) => {
        const source_offset = offsets[index] ?? -1;
        const id = this.nextId();
        const row = { source_id, source_offset, position: null, fleets: fleets[index] ?? null };
        this.letters.insert(transaction, String(id), row);
        return { id, source_id, source_offset };
      });
    },
    'claim-source': (transaction, values) => {
      const [topic, partition] = [values.text(0), values.number(1)];
      const key = `${topic}/${partition}`;
      const known = this.sources.lock(transaction, key);
      const counts = { read: 0, stored: 0, duplicates: 0, dead_letters: 0, elsewhere: 0 };
      const last = { last_offset: null, last_timestamp: null, last_hash: null, fault: null, stopped: false };
      const source: SourceRow = known
        ? { ...known, epoch: known.epoch + 1 }
        : { source_id: this.nextId(), topic, partition, epoch: 1, next_offset: 0, ...last, ...counts };
      this.sources.put(transaction, key, source);
      return [{ ...source, stopped: source.stopped ? source.fault : null }];
    },
    'advance-sources': (transaction, values) => {
      const [ids, epochs, expected] = [values.numbers(0), values.numbers(1), values.numbers(2)];
      const [next, read, stored] = [values.numbers(3), values.numbers(4), values.numbers(5)];
      const [duplicates, letters, elsewhere] = [values.numbers(6), values.numbers(7), values.numbers(11)];
      const [offsets, timestamps] = [values.numbersOrNull(8), values.numbersOrNull(9)];
      const hashes = values.buffersOrNull(10);
      const indexOf = ({ source_id, epoch, next_offset, stopped }: SourceRow) =>
        ids.findIndex((id, at) => source_id === id && epoch === epochs[at] && next_offset === expected[at] && !stopped);
      return this.#changeSources(
        transaction,
        (source) => indexOf(source) >= 0,
        (source) => {
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
          return moved;
        },
      );
    },
    'mark-known-source-fault': (transaction, values) => this.#markFault(transaction, values, false),
    'mark-new-source-fault': (transaction, values) => this.#markFault(transaction, values, true),
    'clear-source-fault': (transaction, values) => {
      const [id, epoch] = [values.number(0), values.number(1)];
      const holds = (source: SourceRow) => source.source_id === id && source.epoch === epoch && source.fault !== null;
      return this.#changeSources(transaction, holds, (source) => ({ ...source, fault: null, stopped: false })).length;
    },
    'list-stopped-sources': (transaction) => this.sources.all(transaction).filter(({ stopped }) => stopped),
    'list-refused-fleets': (transaction, values) => {
      const [stored, passed] = [values.texts(0), values.texts(1)];
      return this.fences.all(transaction).filter(({ fleet_id, stores, passes }) => {
        return (stored.includes(fleet_id) && !stores) || (passed.includes(fleet_id) && !passes);
      });
    },
    'set-fleet-fence': (transaction, values) => {
      const [fleet_id, stores, passes, epoch] = [
        values.text(0),
        values.boolean(1),
        values.boolean(2),
        values.number(3),
      ];
      const known = this.fences.lock(transaction, fleet_id);
      if (known && known.epoch > epoch) return 0;
      this.fences.put(transaction, fleet_id, { fleet_id, stores, passes, epoch });
      return 1;
    },
    'count-erasures-of-fleet': () => [{ erasures: 0 }],
    // In the simulation, no operator sets a stored event aside.
    'set-aside-events-of-fleet': () => [],
    'count-open-dead-letters-of-fleet': (transaction, values) => {
      const fleets = `{"${values.text(0)}"}`;
      return [{ letters: this.letters.all(transaction).filter((letter) => letter.fleets === fleets).length }];
    },
    // The digest covers the same columns as PostgreSQL's, but is computed by a different function.
    'digest-of-fleet': (transaction, values) => {
      const events = this.#inRange(transaction, values.text(0), values.number(1), values.number(2));
      const sum = events.reduce((total, { content_hash, revision, effective }) => {
        return total + Number.parseInt(content_hash.slice(0, 10), 16) * (effective ? 2 : 1) + revision;
      }, 0);
      return [{ stored_events: events.length, digest: String(sum) }];
    },
    'archive-read-events-of-fleet': (transaction, values) => {
      const profile = { topic: 'trips', partition: 0, stored_at: '', kind: DRIVER_PROFILE, erased: false };
      const events = this.#inRange(transaction, values.text(2), values.number(0), values.number(1));
      return events.map((event) => ({ ...event, ...profile }));
    },
    'read-offsets-of-topics': (transaction) => {
      const topics = this.sources.all(transaction).filter(({ topic }) => !topic.includes(':'));
      return topics.map(({ topic, partition, next_offset }) => ({ source: `${topic}/${partition}`, next_offset }));
    },
    // The simulation's projector has always applied the whole log.
    'read-live-checkpoint': (transaction) =>
      this.head.all(transaction).map(({ position }) => ({ checkpoint: position })),
  };

  constructor(name: string) {
    super(name);
    this.head.load(HEAD, { position: 0, hasErasures: false, hasFences: false });
  }

  override run(transaction: ServerTransaction, sent: Sent): Answer {
    if (sent.text.startsWith('COPY stored_event ')) return this.#copyEvents(transaction, sent);
    return super.run(transaction, sent);
  }

  override isImmediate({ name, text }: Sent): boolean {
    return text.startsWith('COPY') || IMMEDIATE.includes(name);
  }

  #changeHead(transaction: ServerTransaction, change: { position?: number; hasFences?: boolean }): number {
    const head = this.head.lock(transaction, HEAD);
    if (!head) return 0;
    this.head.put(transaction, HEAD, { ...head, ...change });
    return 1;
  }

  #copyEvents(transaction: ServerTransaction, { text, values }: Sent): number {
    const names = text.slice(text.indexOf('(') + 1, text.indexOf(')')).split(', ');
    const lines = readValues(values).bytes(0).toString().split('\n').slice(0, -1);
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

  /** Locks the sources that meet a condition, rechecks it on their latest versions, and changes the sources. */
  #changeSources(
    transaction: ServerTransaction,
    condition: (source: SourceRow) => boolean,
    change: (source: SourceRow) => SourceRow,
  ): SourceRow[] {
    const locked = this.sources.entries(transaction).flatMap(([key, row]) => {
      const source = condition(row) ? this.sources.lock(transaction, key) : undefined;
      return source && condition(source) ? [{ key, source }] : [];
    });
    for (const { key, source } of locked) this.sources.put(transaction, key, change(source));
    return locked.map(({ source }) => source);
  }

  #markFault(transaction: ServerTransaction, values: Values, isNew: boolean): number {
    const [id, epoch, fault, stopped] = [values.number(0), values.number(1), values.text(2), values.boolean(3)];
    const holds = (source: SourceRow) =>
      source.source_id === id &&
      source.epoch === epoch &&
      (!source.stopped || stopped) &&
      (source.fault === null || (!source.stopped && stopped)) === isNew;
    return this.#changeSources(transaction, holds, (source) => ({ ...source, fault, stopped })).length;
  }

  #inRange(transaction: ServerTransaction, fleetId: string, after: number, through: number): EventRow[] {
    return this.events
      .all(transaction)
      .filter(({ fleet_id, position }) => fleet_id === fleetId && position > after && position <= through)
      .sort((one, other) => one.position - other.position);
  }
}
