/** The kinds of refusals, closed. Over HTTP each is a problem's `code`. */
export const REFUSALS = {
  key_not_found: {
    status: 404,
    meaning: 'There is no API key with this id.',
    remedy: 'Take the id from the list of keys. It is not the key itself.',
    example: 'There is no API key with this id: GET /keys lists the ids.',
  },
  replay_not_found: {
    status: 404,
    meaning: 'There is no replay with this id.',
    remedy: 'Take the id from the list of replays.',
    example: 'There is no replay 7: GET /replays lists them.',
  },
  dead_letter_not_found: {
    status: 404,
    meaning: 'There is no dead letter with this id.',
    remedy: 'Take the id from the list of dead letters.',
    example: 'There is no dead letter 7.',
  },
  audit_not_found: {
    status: 404,
    meaning: 'There is no audit with this id.',
    remedy: 'Take the id from the list of audits.',
    example: 'There is no audit 7.',
  },
  trip_not_found: {
    status: 404,
    meaning: 'The log has no trip with this id.',
    remedy: 'Compare the id with the answer that it is from. If it is right, look among the dead letters.',
    example: 'The log has no trip with this id.',
  },
  driver_not_found: {
    status: 404,
    meaning: 'Neither the log nor a dead letter names this driver.',
    remedy: 'Compare fleet and driver with the answer that they are from, and percent-encode both.',
    example: 'Neither the log nor a dead letter names this driver.',
  },
  replay_refused: {
    status: 409,
    meaning: 'As things stand, this makes no sense or would do harm: `detail` says why, and what would be right.',
    remedy: 'Do first what `detail` says.',
    example: 'Replay 7 is cancelled: there is nothing to pause.',
  },
  erasure_refused: {
    status: 409,
    meaning: 'There is nothing to erase: `detail` says why.',
    remedy: 'Nothing: what should go is gone, or was never there.',
    example: 'The driver was erased already.',
  },
  source_refused: {
    status: 409,
    meaning: 'The source does not stand still, or there is none of this name: there is nothing to accept.',
    remedy: 'Take topic and partition from the status, which names the sources that stand still.',
    example: 'The source milepost.trips/0 does not stand still.',
  },
  queue_unavailable: {
    status: 503,
    meaning: 'The queue of jobs does not answer; try again after `Retry-After` seconds.',
    remedy: 'Wait for as long as `Retry-After` says, and see that Redis or PostgreSQL answers the ops process.',
    example: 'The queue of jobs does not answer.',
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
