/**
 * The topic no longer holds what comes next: retention removed it, or the topic was deleted and made anew. Going on would
 * lose trips in silence, so ingest stops until an operator decides.
 */
export class SourceGapError extends Error {
  override name = 'SourceGapError';

  constructor(source: { topic: string; partition: number; nextOffset: number }, low: number, high: number) {
    super(
      `${source.topic}/${source.partition} should go on at offset ${source.nextOffset}, but the broker holds ${low} to ${high}: records were removed before they were read, or the topic was made anew. Ingest goes on once the records are back, or once an operator who accepts the loss sets next_offset in log.source.`,
    );
  }
}
