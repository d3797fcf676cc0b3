import type { AuditCheck, AuditFault, NamedStoredEvent } from '../report.ts';

/** A fault that is not about a row. */
export function faultOf(
  check: AuditCheck,
  projection: string | null,
  detail: string,
  positions: NamedStoredEvent[] = [],
): AuditFault {
  return { check, projection, day: null, key: null, detail, positions };
}
