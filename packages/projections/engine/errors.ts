/** A stored event that a projection cannot apply. The projection stands still in front of it: nothing is skipped. */
export class ProjectionFailedError extends Error {
  override name = 'ProjectionFailedError';
  readonly projection: string;
  /** Of the generation that stands still. */
  readonly version: number;
  readonly position: number;

  constructor({ name, version }: { name: string; version: number }, position: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Projection ${name} cannot apply the stored event at position ${position}: ${reason}`, { cause });
    this.projection = name;
    this.version = version;
    this.position = position;
  }
}

/** The live generation was made by another version of the projection's code: it stands still until a replay builds it anew. */
export class ProjectionVersionError extends Error {
  override name = 'ProjectionVersionError';
  readonly projection: string;
  /** Of the generation that stands still. */
  readonly version: number;
  readonly position = null;

  constructor(projection: string, liveVersion: number, version: number) {
    super(`Projection ${projection} is live at version ${liveVersion}, and this program has version ${version}.`);
    this.projection = projection;
    this.version = liveVersion;
  }
}

/** Another process moved a checkpoint inside our transaction's time; the batch was rolled back and is done anew. */
export class CheckpointMovedError extends Error {
  override name = 'CheckpointMovedError';

  constructor(projections: readonly string[], checkpoint: number) {
    super(`Not every checkpoint of ${projections.join(', ')} is still ${checkpoint}.`);
  }
}
