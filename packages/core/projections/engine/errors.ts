/** A projection has stopped before a stored event that it cannot apply, instead of skipping it. */
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
 * A live generation has a different version from the projection's code. The projection stops until a replay has rebuilt
 * its read table.
 */
export class ProjectionVersionError extends Error {
  override name = 'ProjectionVersionError';
  readonly projection: string;
  /** The version of the stopped generation. */
  readonly version: number;
  readonly position = null;

  constructor(projection: string, liveVersion: number, version: number) {
    super(`Projection ${projection} is live at version ${liveVersion}, but this program has version ${version}.`);
    this.projection = projection;
    this.version = liveVersion;
  }
}

/** Another process moved a checkpoint during the transaction, so the batch is rolled back and retried. */
export class CheckpointMovedError extends Error {
  override name = 'CheckpointMovedError';

  constructor(projections: readonly string[], checkpoint: number) {
    super(`At least one checkpoint of ${projections.join(', ')} is no longer ${checkpoint}.`);
  }
}
