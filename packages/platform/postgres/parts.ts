import type { HostFinder } from './hosts.ts';

/**
 * One schema of a database. A connection works on one part and cannot see others. Two parts may be on different
 * servers, so no statement or transaction spans two parts.
 */
export interface Part {
  /**
   * A lane holds a complete event log and its read tables. The directory holds API keys and the operators' audit trail.
   */
  readonly kind: 'lane' | 'directory';
  readonly schema: string;
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /**
   * Finds the part's server, which can change. Without this finder, the part is on the server in `url`. With the
   * finder, that server is the coordinator of a Citus cluster and runs all definitions.
   */
  readonly host?: HostFinder;
}

/** Names that need not be quoted. PostgreSQL limits names to 63 bytes; a channel's name is longer than its schema's. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,39}$/;

/** Returns the lane in a database's schema. Throws RangeError for a name that a schema cannot have. */
export function laneAt(url: string, schema = 'milepost'): Part {
  if (SCHEMA_NAME.test(schema)) return { kind: 'lane', schema, url };
  throw new RangeError(
    `The name of a schema must be 1 to 40 characters from a-z, 0-9 and _, and must not start with a digit, but is "${schema}".`,
  );
}

/** Returns a database's directory. */
export function directoryAt(url: string): Part {
  return { kind: 'directory', schema: 'milepost_directory', url };
}
