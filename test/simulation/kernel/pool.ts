import { Writable } from 'node:stream';
import { type Pool, sqlState } from '@milepost/postgres';
import pg from 'pg';
import type { Answer, Sent, SimulatedDatabase } from './database.ts';
import { withDeclaredColumns } from './declared-columns.ts';
import { InvariantError, type SimulatedProcess, type Simulation } from './simulation.ts';
import { Blocked, isDeadlock, ServerTransaction, serverError } from './table.ts';

/** How often, per thousand statements, the connection is lost. */
const LOST_PER_THOUSAND = 6;
/** The number of responses per thousand that arrive in a later step. */
const LATE_PER_THOUSAND = 30;
/** A connection is lost before or after the server runs a statement, or while it is idle in a transaction. */
const LOSSES = ['before', 'after', 'idle'] as const;

/** If a process does not send anything for this long, the server ends its transaction. */
const IDLE_MILLISECONDS = 60_000;

/** These node-postgres objects are used only for the types that they provide to the simulation. */
const [POOL, CLIENT] = [new pg.Pool(), new pg.Client()];
const lost = () => serverError('ECONNRESET', 'Connection terminated unexpectedly');
const refused = () => serverError('ECONNREFUSED', 'The server is down.');

/** The server side of a process's connection. */
class Session {
  transaction: ServerTransaction | null = null;
  isBroken = false;
  isBusy = false;

  /** Ends the connection, which rolls back its transaction. */
  end(): void {
    this.isBroken = true;
    this.transaction?.rollBack();
    this.transaction = null;
  }
}

type Message = string | Sent | (Writable & { text: string });
interface Result {
  rows: object[];
  rowCount: number;
}

const resultOf = (answer: Answer): Result =>
  typeof answer === 'number' ? { rows: [], rowCount: answer } : { rows: [...answer], rowCount: answer.length };

export type Connections = ReturnType<typeof openConnections>;

/** Returns the connections of one process to one database. */
export function openConnections(simulation: Simulation, database: SimulatedDatabase, process: SimulatedProcess) {
  const sessions = new Set<Session>();
  const query = async (message: string | Sent, values?: readonly unknown[]) =>
    await send(null, sentOf(message, values));
  const pool: Pool = Object.assign(Object.create(POOL), { query, connect: async () => connect() });

  /** Acts as if the process had been killed. The server still runs what it has received. */
  function kill(): void {
    for (const session of sessions) if (!session.isBusy) session.end();
  }

  /** Acts as if the process had been paused. After a minute, the server ends the open transactions. */
  function pause(): void {
    const expire = () => {
      if (process.isPaused) loseIdle();
    };
    simulation.after(IDLE_MILLISECONDS, null, expire);
  }

  /** Ends the connections that are idle in a transaction. */
  function loseIdle(): void {
    for (const session of sessions) if (!session.isBusy && session.transaction !== null) session.end();
  }

  function connect() {
    if (database.isDown) throw refused();
    const session = new Session();
    sessions.add(session);
    const query = (message: Message, values?: readonly unknown[]) =>
      message instanceof Writable ? copy(session, message.text) : send(session, sentOf(message, values));
    const release = () => {
      // This stands for two cases: a connection without a transaction returns to the pool, and any other connection is
      // closed.
      sessions.delete(session);
      session.end();
    };
    return Object.assign(Object.create(CLIENT), { query, release });
  }

  /** Returns a stream that sends the rows of a COPY when it ends. */
  function copy(session: Session, text: string): Writable {
    const parts: Buffer[] = [];
    simulation.awaitTicks(4);
    return new Writable({
      write(chunk: Buffer, _encoding, done) {
        parts.push(chunk);
        done();
      },
      final: (done) => {
        const values = [Buffer.concat(parts)];
        send(session, { name: '', text, values }).then(
          () => done(),
          (error: Error) => done(error),
        );
        simulation.awaitTicks(4);
      },
    });
  }

  async function send(session: Session | null, sent: Sent): Promise<Result> {
    if (session?.isBroken) throw lost();
    if (session !== null) {
      const answer = control(session, sent.text);
      if (answer !== null) return answer;
      const { transaction } = session;
      if (transaction !== null && database.isImmediate(sent) && !database.isDown) {
        transaction.refresh();
        const answer = run(transaction, sent);
        database.onStatement(process, sent, answer);
        return resultOf(answer);
      }
      session.isBusy = true;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const settle = (outcome: () => void) => {
      if (session !== null) session.isBusy = false;
      if (process.isKilled) session?.end();
      else if (process.isPaused || simulation.fault(LATE_PER_THOUSAND)) {
        simulation.add(process, outcome);
      } else outcome();
    };
    simulation.add(null, () =>
      arrive(
        session,
        sent,
        (answer) => settle(() => resolve(resultOf(answer))),
        (error) => settle(() => reject(error)),
      ),
    );
    return await promise;
  }

  /** An error without an SQLSTATE means that the simulation has a bug or that a rule has been broken. */
  function run(transaction: ServerTransaction, sent: Sent): Answer {
    try {
      const answer = database.run(transaction, sent);
      return typeof answer === 'number' || sent.name === '' ? answer : withDeclaredColumns(sent.name, answer);
    } catch (error) {
      if (!(error instanceof Blocked) && sqlState(error) === null) simulation.fail(error);
      throw error;
    }
  }

  /** Begins or rolls back a transaction. Returns null for other statements. */
  function control(session: Session, text: string): Result | null {
    if (text.startsWith('BEGIN')) {
      if (text.includes('REPEATABLE READ')) throw new Error('The simulated server has no snapshots.');
      session.transaction = new ServerTransaction(database.server);
      return resultOf(0);
    }
    if (text !== 'ROLLBACK') return null;
    session.transaction?.rollBack();
    session.transaction = null;
    return resultOf(0);
  }

  /** Handles a statement that has arrived at the server. */
  function arrive(
    session: Session | null,
    sent: Sent,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
  ): void {
    const { server } = database;
    const fail = (error: unknown) => {
      session?.end();
      reject(error);
    };
    if (database.isDown || session?.isBroken) {
      fail(database.isDown ? refused() : lost());
      return;
    }
    const loss = simulation.fault(LOST_PER_THOUSAND) ? LOSSES[simulation.choices.below(LOSSES.length)] : 'none';
    const isLost = loss === 'after';
    if (loss === 'idle') loseIdle();
    if (loss === 'before') {
      simulation.note(() => `${process.name} loses its connection before ${describe(sent)}`);
      fail(lost());
      return;
    }
    const transaction = session?.transaction ?? new ServerTransaction(server);
    transaction.refresh();
    const finish = (answer: Answer) => {
      database.onStatement(process, sent, answer);
      if (session?.transaction == null || isCommit(sent)) {
        transaction.commit();
        if (session !== null) session.transaction = null;
        database.onCommit();
      }
      simulation.note(
        () => `${process.name} -> ${database.name}: ${describe(sent)}${isLost ? ', and loses its connection' : ''}`,
      );
      if (isLost) fail(lost());
      else resolve(answer);
    };
    const attempt = () => {
      transaction.waitsFor = null;
      if (transaction.isEnded) return fail(lost());
      try {
        finish(sent.text === 'COMMIT' ? 0 : run(transaction, sent));
      } catch (error) {
        if (error instanceof Blocked && !isDeadlock(transaction, error.lock)) {
          transaction.waitsFor = error.lock;
          error.lock.waiting.push({ transaction, retry: () => simulation.add(null, attempt) });
          return;
        }
        if (error instanceof InvariantError) return simulation.fail(error);
        const reason = error instanceof Blocked ? serverError('40P01', 'deadlock detected') : error;
        transaction.rollBack();
        if (session !== null) session.transaction = null;
        simulation.note(() => `${process.name} -> ${database.name}: ${describe(sent)} fails: ${String(reason)}`);
        reject(reason);
      }
    };
    attempt();
  }

  return { pool, kill, pause };
}

function sentOf(message: string | Sent, values: readonly unknown[] = []): Sent {
  return typeof message === 'string' ? { name: '', text: message, values } : message;
}

const isCommit = ({ text }: Sent) => text === 'COMMIT' || text.endsWith('; COMMIT');

function describe({ name, text, values }: Sent): string {
  const shown = values.map((value) => (value instanceof Uint8Array ? '...' : JSON.stringify(value))).join(' ');
  return `${name || text.slice(0, 60)} ${shown.slice(0, 120)}`;
}
