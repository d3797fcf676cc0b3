/** Reports a stored event that a projection cannot apply. The projection stops before it and skips no event. */
export class ProjectionFailedError extends Error {
  override name = 'ProjectionFailedError';
  readonly projection: string;
  /** The version of the stopped generation. */
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

/**
 * Reports a live generation whose version differs from the version in the projection's code. The projection stops until
 * a replay builds its read table again.
 */
export class ProjectionVersionError extends Error {
  override name = 'ProjectionVersionError';
  readonly projection: string;
  /** The version of the stopped generation. */
  readonly version: number;
  readonly position = null;

  constructor(projection: string, liveVersion: number, version: number) {
    super(`Projection ${projection} is live at version ${liveVersion}, and this program has version ${version}.`);
    this.projection = projection;
    this.version = liveVersion;
  }
}

/** Reports that another process moved a checkpoint during the transaction. The batch is rolled back and retried. */
export class CheckpointMovedError extends Error {
  override name = 'CheckpointMovedError';

  constructor(projections: readonly string[], checkpoint: number) {
    super(`Not every checkpoint of ${projections.join(', ')} is still ${checkpoint}.`);
  }
}
