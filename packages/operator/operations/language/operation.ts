import type { Pool, Role } from '@milepost/postgres';
import type { LaneAccess } from '@milepost/postgres/lanes/role-pools';
import type { AskEndOffsets } from '@milepost/status/end-offsets';
import type { Static, TObject, TSchema } from 'typebox';
import type { InputError } from './check.ts';
import type { RefusalCode } from './refusal.ts';

/** A job for the worker. Its state is in PostgreSQL, so a lost, repeated or late job is harmless. */
export type Job = { lane: number } & (
  | { kind: 'replay'; id: number }
  /** Recomputes the rows of the read tables from the log and compares them with the stored rows. */
  | { kind: 'audit' }
  /** Removes rows that no request can reach and drops generations whose retention period has expired. */
  | { kind: 'retention' }
);

/** The services available to an operation. */
export interface OperationContext {
  /** Connections to the lane, made as a given database role. The operation's caller closes the pool. */
  pool: (role: Role) => Pool;
  /** The number of the lane. */
  lane: number;
  /** Returns the lane that the caller names, or all lanes. */
  lanes: () => Promise<readonly LaneAccess[]>;
  /** Finds a lane by its number. Throws Refusal when the lane does not exist. */
  findLane: (number: number) => Promise<LaneAccess>;
  /** Connections to the directory, made as the operator role. */
  directory: Pool;
  /** The actor, 1 to 128 characters. */
  operator: string;
  /** Tells workers about a job in PostgreSQL, which they would otherwise find within seconds. Never throws. */
  announce: (job: Job) => void;
  /** Asks Kafka for end offsets; null when records do not come from Kafka. */
  askEndOffsets: AskEndOffsets | null;
  /** Sets which parameters the audit trail stores for a change to personal data. */
  recordParameters: (parameters: object) => void;
}

/** The result of an operation. */
export interface OperationResult<Answer> {
  answer: Answer;
  /** One of the operation's statuses; by default the first one. */
  status?: Status;
  /** The path of the created resource. */
  location?: string;
  /** A few words for the audit trail, never a secret. */
  detail?: string;
}

type Status = 200 | 201 | 202 | 204;

/**
 * An operator's action, defined once. The HTTP route, the OpenAPI entry, the command and the audit trail entry follow
 * from this definition.
 */
export interface Operation<Input extends TObject = TObject, Answer extends TSchema = TSchema> {
  /** The name in the audit trail, such as `replay.pause`, which also gives the `milepost replay pause` command. */
  name: string;
  /** The command's words, if they differ from the words in the name. */
  command?: string;
  /** The inputs that the command accepts without a flag, if they differ from the names in the path. */
  arguments?: readonly string[];
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path of its route, such as `/replays/:id/pause`. */
  path: string;
  summary: string;
  description: string;
  /**
   * A flat object. Inputs whose names are in the path come from the path. All other inputs come from the query string
   * of a GET request, or from the JSON body. A description completes the sentence "Must be ...", as in `a whole number
   * from 1 to 200.`
   */
  input: Input;
  /**
   * Returns the faults in an input that its schema cannot detect. Messages put the names of parameters in backticks.
   */
  inputErrors?: (input: Static<Input>) => InputError[];
  answer: Answer;
  /** The status codes of the responses with their meanings, the usual status first. */
  statuses?: readonly (readonly [Status, string])[];
  /**
   * How much of the input the audit trail stores: all of it, or only the parameters given to `recordParameters`. If
   * undefined, the operation does not change anything.
   */
  change?: 'recorded' | 'personal';
  /** Whether the operation may read or write many rows, so that only a few such operations may run concurrently. */
  heavy?: boolean;
  /** Whether all lanes share the data that the operation reads or changes, so that it does not accept a lane. */
  shared?: boolean;
  /** Whether responses must not be cached. */
  secret?: boolean;
  /** The possible refusals, apart from the refusal of invalid input. */
  refusals?: readonly RefusalCode[];
  /** Throws Refusal and changes nothing when the current state does not allow the operation. */
  run: (context: OperationContext, input: Static<Input>) => Promise<OperationResult<Static<Answer>>>;
}

/** Infers the type of an operation from its schemas. The default method is GET, or POST for a change. */
export function operation<Input extends TObject, Answer extends TSchema>(
  definition: Omit<Operation<Input, Answer>, 'method'> & Partial<Pick<Operation, 'method'>>,
): Operation<Input, Answer> {
  return { method: definition.change ? 'POST' : 'GET', ...definition };
}

/** The names in a path, such as `id` in `/replays/:id/pause`. Exported for tests. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** The names of an operation's inputs by their place in a request: the path, the query string, or the JSON body. */
export function placesOf({ path, method, input }: Pick<Operation, 'path' | 'method' | 'input'>) {
  const inPath = namesInPath(path);
  const others = Object.keys(input.properties).filter((name) => !inPath.includes(name));
  return method === 'GET' ? { inPath, inQuery: others, inBody: [] } : { inPath, inQuery: [], inBody: others };
}

/** The inputs that an operation's command accepts without a flag, in order. */
export function argumentsOf({ path, arguments: named }: Pick<Operation, 'path' | 'arguments'>): readonly string[] {
  return named ?? namesInPath(path);
}

/** The flag of an input: `--accept-differences` for `accept_differences`, `--fleet` for `fleet_id`. */
export function flagOf(parameter: string): string {
  return `--${parameter.replace(/_id$/, '').replaceAll('_', '-')}`;
}

/** The words of an operation's command, without the program's name. */
export function commandOf({ name, command }: Pick<Operation, 'name' | 'command'>): string {
  return command ?? name.replaceAll('.', ' ');
}
