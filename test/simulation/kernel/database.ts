import type { SimulatedProcess } from './simulation.ts';
import { Server, type ServerTransaction } from './table.ts';
import { readValues, type Values } from './values.ts';

/** A statement as the server receives it. */
export interface Sent {
  /** The name of a prepared statement; an empty string for other statements. */
  name: string;
  text: string;
  values: readonly unknown[];
}

/** The rows that a statement returns, or how many rows it affected. */
export type Answer = readonly object[] | number;

/** Runs a statement, which throws Blocked (always before its first write) or an error with an SQLSTATE. */
export type Handlers = Readonly<Record<string, (transaction: ServerTransaction, values: Values) => Answer>>;

/** A database whose statements are functions on tables. */
export abstract class SimulatedDatabase {
  readonly name: string;
  readonly server = new Server();
  isDown = false;
  /** Called after each commit. */
  onCommit: () => void = () => {};
  /** Called after each statement from a process, before it is committed. */
  onStatement: (process: SimulatedProcess, sent: Sent, answer: Answer) => void = () => {};
  /** The functions that run the prepared statements, by name. */
  protected abstract readonly handlers: Handlers;
  #lastId = 0;

  constructor(name: string) {
    this.name = name;
  }

  run(transaction: ServerTransaction, { name, text, values }: Sent): Answer {
    const handler = this.handlers[name];
    if (handler === undefined) throw new Error(`The simulation has no statement "${name || text}".`);
    return handler(transaction, readValues(values));
  }

  /**
   * Returns true if other processes cannot observe exactly when the statement runs. Such a statement does not need its
   * own step.
   */
  isImmediate(_sent: Sent): boolean {
    return false;
  }

  protected nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
