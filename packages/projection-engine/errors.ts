/** A stored event that a projection cannot apply. The projection stands still in front of it: nothing is skipped. */
export class ProjectionFailedError extends Error {
  override name = 'ProjectionFailedError';
  readonly projection: string;
  readonly position: number;

  constructor(projection: string, position: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Projection ${projection} cannot apply the stored event at position ${position}: ${reason}`, { cause });
    this.projection = projection;
    this.position = position;
  }
}

/** The live generation was made by another version of the projection's code. */
export class ProjectionVersionError extends Error {
  override name = 'ProjectionVersionError';
  readonly projection: string;
  readonly position = null;

  constructor(projection: string, liveVersion: number, version: number) {
    super(
      `Projection ${projection} is live at version ${liveVersion}, and this program has version ${version}: its read table must be replayed before this program may advance it.`,
    );
    this.projection = projection;
  }
}

/** Another process moved the checkpoint inside our transaction's time; the batch was rolled back and is done anew. */
export class CheckpointMovedError extends Error {
  override name = 'CheckpointMovedError';

  constructor(projection: string, checkpoint: number) {
    super(`The checkpoint of projection ${projection} is no longer ${checkpoint}.`);
  }
}
