import type { Operation, Status } from '@milepost/operations/operation';
import type { Static, TObject, TSchema } from 'typebox';

/** The type of a value after a round trip through JSON: timestamps become strings. */
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
   * Runs an operation. The caller has checked the input. Throws an error with a one-sentence message when the operation
   * is refused.
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
  /** Reads all bytes of the record of a dead letter, chunk by chunk. */
  readRecord: (id: number) => AsyncIterable<Uint8Array>;
}
