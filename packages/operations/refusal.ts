/** The kinds of refusals, closed. Over HTTP each is a problem's `code`. */
export const REFUSALS = {
  key_not_found: { status: 404, title: 'Key not found', meaning: 'There is no API key with this id.' },
  replay_not_found: { status: 404, title: 'Replay not found', meaning: 'There is no replay with this id.' },
  dead_letter_not_found: {
    status: 404,
    title: 'Dead letter not found',
    meaning: 'There is no dead letter with this id.',
  },
  audit_not_found: { status: 404, title: 'Audit not found', meaning: 'There is no audit with this id.' },
  trip_not_found: { status: 404, title: 'Trip not found', meaning: 'The log has no trip with this id.' },
  driver_not_found: {
    status: 404,
    title: 'Driver not found',
    meaning: 'Neither the log nor a dead letter names this driver.',
  },
  replay_refused: {
    status: 409,
    title: 'Replay refused',
    meaning: 'As things stand, this makes no sense or would do harm: `detail` says why, and what would be right.',
  },
  erasure_refused: {
    status: 409,
    title: 'Erasure refused',
    meaning: 'There is nothing to erase: `detail` says why.',
  },
  queue_unavailable: {
    status: 503,
    title: 'Queue unavailable',
    meaning: 'The queue of jobs does not answer; try again after `Retry-After` seconds.',
  },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Names an operation as who asked would call it: a request over HTTP, a command on the command line. */
export type Mention = (operation: string, input?: Readonly<Record<string, string | number | true>>) => string;

/** What is asked for cannot be done, and nothing has changed. The words are made where they are shown. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: RefusalCode;
  readonly sentence: (mention: Mention) => string;

  constructor(code: RefusalCode, sentence: (mention: Mention) => string) {
    super(code);
    this.code = code;
    this.sentence = sentence;
  }
}

/** The input itself is wrong in a way that its schema cannot say. */
export class WrongInput extends Error {
  override name = 'WrongInput';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}
