import type { Operation } from '@milepost/operations/operation';
import type { Static, TObject, TSchema } from 'typebox';

/** The type of a value after a round trip through JSON, which turns timestamps into strings. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Json<Value[Name]> }
    : Value;

export interface Answered<Answer> {
  status: number;
  answer: Json<Answer>;
}

/** Runs operations in this process or on a server. */
export interface Client extends AsyncDisposable {
  /**
   * Runs an operation with input that the caller has checked. If the operation is refused, throws an error with a
   * one-sentence message.
   */
  call: <Input extends TObject, Answer extends TSchema>(
    operation: Operation<Input, Answer>,
    input: Static<Input>,
  ) => Promise<Answered<Static<Answer>>>;
  /**
   * Returns a client that runs operations in the given lane of the same database or server. Callers must close the
   * original client, but not the returned one.
   */
  inLane: (lane: number) => Client;
  /** Reads a dead letter's record, chunk by chunk. */
  readRecord: (id: number) => AsyncIterable<Uint8Array>;
}
