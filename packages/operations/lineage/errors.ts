/** The log has never heard of what was to be traced. */
export class NotTracedError extends Error {
  override name = 'NotTracedError';
}
