import { type ServerTransaction, serverError, Table } from '../kernel/table.ts';

export interface ReplayRow {
  id: number;
  kind: string;
  projection: string;
  phase: string;
  halted: string | null;
  error: string | null;
  target: number;
  cutoff: string | null;
  promote: boolean;
  accept_differences: boolean;
  throttle: string;
  verification: unknown;
  requested_by: string;
  created_at: Date;
  finished_at: Date | null;
  epoch: number;
  /** Milliseconds of the server's clock; null when no worker has the lease. */
  leaseUntil: number | null;
}

export interface MemberRow {
  replay_id: number;
  projection: string;
  generation: number;
  target: number;
  stage: number | null;
  filled: boolean;
  indexed: boolean;
  replaced_generation: number | null;
  active: boolean;
  filled_with: string | null;
}

export interface GenerationRow {
  projection: string;
  generation: number;
  version: number;
  live: boolean;
  checkpoint: number;
  cutoff: string | null;
  isDropped: boolean;
}

export interface ChunkRow {
  replay_id: number;
  projection: string;
  stage: number;
  chunk: number;
  after: string[];
  through: string[];
  events: number;
  done: boolean;
}

/** A lane's tables of replays and generations, and the read tables that they build. */
export class ReplayTables {
  readonly head = new Table<{ position: number }>();
  readonly replays = new Table<ReplayRow>();
  readonly members = new Table<MemberRow>();
  readonly generations = new Table<GenerationRow>();
  readonly chunks = new Table<ChunkRow>();
  /** The unique index of the projections on which a replay is working. */
  readonly active = new Table<{ replay_id: number }>();
  /** The read tables, by name. */
  readonly relations = new Table<{ name: string }>();
  /** The rows of the read tables, one for each position of the log. */
  readonly rows = new Table<{ table: string; position: number }>();
  /** The read table that a view shows. */
  readonly views = new Table<{ table: string }>();

  /** Changes the rows of a table that meet a condition, which is checked again in their newest versions. */
  update<Row extends object>(
    transaction: ServerTransaction,
    table: Table<Row>,
    condition: (row: Row) => boolean,
    change: (row: Row) => Row,
  ): Row[] {
    return table.entries(transaction).flatMap(([key, row]) => {
      const newest = condition(row) ? table.lock(transaction, key) : undefined;
      if (newest === undefined || !condition(newest)) return [];
      const changed = change(newest);
      table.put(transaction, key, changed);
      return [changed];
    });
  }

  setLive(transaction: ServerTransaction, wanted: (generation: GenerationRow) => boolean, live: boolean): number {
    const changed = this.update(transaction, this.generations, wanted, (generation) => ({ ...generation, live }));
    for (const { projection } of live ? changed : []) {
      const all = this.generations.entries(transaction).map(([key]) => this.generations.newest(transaction, key));
      if (all.filter((generation) => generation?.projection === projection && generation.live).length > 1)
        throw serverError('23505', 'generation_live is violated');
    }
    return changed.length;
  }

  /** Runs a data definition or the simulated projection's work. Returns null for any other text. */
  define(transaction: ServerTransaction, text: string): number | null {
    const [verb = '', ...words] = text.trim().replace(';', '').split(/\s+/);
    const name = words.find((word) => /^[a-z]+_\d+$/.test(word)) ?? '';
    switch (verb) {
      case 'CREATE':
        if (this.relations.lock(transaction, name) !== undefined) throw serverError('42P07', `${name} exists`);
        this.relations.put(transaction, name, { name });
        return 0;
      case 'DROP':
        this.#drop(transaction, name, text.includes('IF EXISTS'));
        return 0;
      case 'INDEX':
      case 'VACUUM':
        this.#share(transaction, name);
        return 0;
      case 'APPLY':
        return this.#apply(transaction, name, Number(words.at(-2)), Number(words.at(-1)));
      default:
        return null;
    }
  }

  #drop(transaction: ServerTransaction, name: string, ifExists: boolean): void {
    transaction.take(transaction.server.advisory(`relation ${name}`));
    if (this.relations.lock(transaction, name) === undefined) {
      if (!ifExists) throw serverError('42P01', `${name} does not exist`);
      return;
    }
    this.relations.put(transaction, name, null);
    for (const key of this.rows.committed.keys()) if (key.startsWith(`${name}/`)) this.rows.put(transaction, key, null);
  }

  /** Writers share a lock on the table. A data definition takes that lock exclusively. */
  #share(transaction: ServerTransaction, name: string): void {
    transaction.share(transaction.server.advisory(`relation ${name}`));
    if (this.relations.newest(transaction, name) === undefined)
      throw serverError('42P01', `relation ${name} does not exist`);
  }

  #apply(transaction: ServerTransaction, name: string, after: number, through: number): number {
    this.#share(transaction, name);
    for (let position = after + 1; position <= through; position += 1)
      this.rows.insert(transaction, `${name}/${position}`, { table: name, position });
    return through - after;
  }
}
