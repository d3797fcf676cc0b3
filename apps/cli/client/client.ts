import type { Operation, Status } from '@milepost/operations/operation';
import type { Static, TObject, TSchema } from 'typebox';

/** The type that a value has after a round trip through JSON, where timestamps become strings. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Json<Value[Name]> }
    : Value;

export interface Answered<Answer> {
  status: Status;
  answer: Json<Answer>;
}

/** Runs operations in this process or on a server. */
export interface Client extends AsyncDisposable {
  /**
   * Runs an operation, whose input the caller has checked. Throws an error with a one-sentence message when the
   * operation is refused.
   */
  call: <Input extends TObject, Answer extends TSchema>(
    operation: Operation<Input, Answer>,
    input: Static<Input>,
  ) => Promise<Answered<Static<Answer>>>;
  /**
   * Returns a client that runs operations in the given lane of the same database or server. Callers close only the
   * original client.
   */
  inLane: (lane: number) => Client;
  /** Reads a dead letter's record, chunk by chunk. */
  readRecord: (id: number) => AsyncIterable<Uint8Array>;
}
