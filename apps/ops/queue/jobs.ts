/** The one queue, for everything that takes longer than a request. */
export const QUEUE_NAME = 'milepost';

/** What a job asks for. All that matters about it is in PostgreSQL: a job lost, doubled or late does no harm. */
export type JobData =
  | { kind: 'replay'; id: number }
  /** Recounts the read tables from the log. */
  | { kind: 'audit' }
  /** Leaves out what nobody can ask for any more, and drops generations that were kept long enough. */
  | { kind: 'retention' };

/** Two jobs for the same thing are one while the first has not ended. */
export function jobIdOf(data: JobData): string {
  return data.kind === 'replay' ? `replay-${data.id}` : data.kind;
}
