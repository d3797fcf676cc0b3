import type { Operation, Status } from '@milepost/operations/operation';
import type { Static, TObject, TSchema } from 'typebox';

/** A value as JSON has it: times are text. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: Json<Value[Name]> }
    : Value;

export interface Answered<Answer> {
  status: Status;
  answer: Json<Answer>;
}

/** Runs operators' actions, in this process or on a server. */
export interface Client extends AsyncDisposable {
  /** Throws an error whose message is one sentence when it cannot be done as things stand. `input` is checked already. */
  call: <Input extends TObject, Answer extends TSchema>(
    operation: Operation<Input, Answer>,
    input: Static<Input>,
  ) => Promise<Answered<Static<Answer>>>;
}
