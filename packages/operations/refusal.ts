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
  source_refused: {
    status: 409,
    title: 'Source refused',
    meaning: 'The source does not stand still, or there is none of this name: there is nothing to accept.',
  },
  queue_unavailable: {
    status: 503,
    title: 'Queue unavailable',
    meaning: 'The queue of jobs does not answer; try again after `Retry-After` seconds.',
  },
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Names operations and their inputs as who asked would: a request over HTTP, a command on the command line. */
export interface Mention {
  /** `POST /replays/7/cancel`, or `milepost replay cancel 7`. */
  operation: (name: string, input?: Readonly<Record<string, string | number | true>>) => string;
  /** `accept_differences`, or `--accept-differences`. */
  parameter: (name: string) => string;
}

/** What is asked for cannot be done, and nothing has changed. The message is one sentence for who asked, or two. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
