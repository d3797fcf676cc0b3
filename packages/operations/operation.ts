import type { Pool, Role } from '@milepost/postgres';
import type { Static, TObject, TSchema } from 'typebox';
import type { InputError } from './check.ts';
import type { AskEndOffsets } from './end-offsets.ts';
import type { Mention, RefusalCode } from './refusal.ts';

/** What a worker may be asked to do. All that matters about it is in PostgreSQL: a job lost, doubled or late does no harm. */
export type Job =
  | { kind: 'replay'; id: number }
  /** Recounts the read tables from the log. The report's id, where an operator asked for it; null: it gets the next one. */
  | { kind: 'audit'; id: number | null }
  /** Leaves out what nobody can ask for any more, and drops generations that were kept long enough. */
  | { kind: 'retention' };

/** What an operation works with, beside its input. */
export interface OperationContext {
  /** Connections in a database role. Whoever runs the operation ends them. */
  pool: (role: Role) => Pool;
  /** Who asks, 1 to 128 characters. */
  operator: string;
  /**
   * Hands a job to the worker. Resolves with the job that is to be done: this one, or an earlier one for the same thing that
   * has not ended; null when the queue does not answer. Never throws.
   */
  enqueue: (job: Job) => Promise<Job | null>;
  /** Null when records do not come from Kafka. */
  askEndOffsets: AskEndOffsets | null;
  /** Tells the audit trail of a personal change what it may keep of the input. */
  keep: (parameters: object) => void;
  /** For sentences that name another operation. */
  mention: Mention;
}

/** What came of an operation. */
export interface Done<Answer> {
  answer: Answer;
  /** One of the operation's statuses; the first one unless it says so. */
  status?: Status;
  /** The path of what was made, or will be. */
  location?: string;
  /** For the audit trail: a few words, never a secret. */
  detail?: string;
}

export type Status = 200 | 201 | 202 | 204;

/**
 * An operator's action, defined once: the HTTP route, its entry in the OpenAPI document, the command and the entry in the
 * audit trail are derived from it.
 */
export interface Operation<Input extends TObject = TObject, Answer extends TSchema = TSchema> {
  /** `replay.pause`: the audit trail's word for it, and the command `milepost replay pause`. */
  name: string;
  /** The words of the command, where they are not those of the name. */
  command?: string;
  /** The inputs that the command takes without a flag, where they are not the names in the path. */
  arguments?: readonly string[];
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/replays/:id/pause`. */
  path: string;
  summary: string;
  description: string;
  /**
   * Flat: names in the path come from there; the others of GET from the query string, else from the JSON body. A
   * description says what is right, as the end of a sentence: `a whole number from 1 to 200.`
   */
  input: Input;
  /** What is wrong with an input that its schema takes. */
  inputErrors?: (input: Static<Input>, mention: Pick<Mention, 'parameter'>) => InputError[];
  answer: Answer;
  /** The statuses that it answers with, the usual one first, and what each means. */
  statuses?: readonly (readonly [Status, string])[];
  /** What the audit trail keeps of the input: all of it, or what `keep` is told. Undefined: it changes nothing. */
  change?: 'recorded' | 'personal';
  /** It may read or write a lot: few of these may be under way at once. */
  heavy?: boolean;
  /** Answers must not be kept by anybody. */
  secret?: boolean;
  /** Why it may be refused, beside a wrong input. */
  refusals?: readonly RefusalCode[];
  /** Throws Refusal when it cannot be done as things stand; nothing has changed then. */
  run: (context: OperationContext, input: Static<Input>) => Promise<Done<Static<Answer>>>;
}

type Method = Operation['method'];

/** Types an operation by its schemas. What changes nothing is GET, and what does is POST unless it says otherwise. */
export function operation<Input extends TObject, Answer extends TSchema>(
  definition: Omit<Operation<Input, Answer>, 'method'> & { method?: Method },
): Operation<Input, Answer> {
  return { method: definition.change ? 'POST' : 'GET', ...definition };
}

/** The names in a path: `id` of `/replays/:id/pause`. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** The inputs that an operation's command takes without a flag, in their order. */
export function argumentsOf({ path, arguments: named }: Pick<Operation, 'path' | 'arguments'>): readonly string[] {
  return named ?? namesInPath(path);
}

/** The flag of an input: `--accept-differences`; `--fleet` of `fleet_id`. */
export function flagOf(parameter: string): string {
  return `--${parameter.replace(/_id$/, '').replaceAll('_', '-')}`;
}

/** The words of an operation's command, without the program's name. */
export function commandOf({ name, command }: Pick<Operation, 'name' | 'command'>): string {
  return command ?? name.replaceAll('.', ' ');
}
