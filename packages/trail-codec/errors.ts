/** The bytes are no trail path that this codec wrote: cut short, altered or of an unknown format version. */
export class TrailPathDamagedError extends Error {
  override readonly name = 'TrailPathDamagedError';
}
