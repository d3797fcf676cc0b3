export {
  type AuditOptions,
  auditProjections,
  STALLED_AFTER_SECONDS,
  UnknownAuditError,
} from './audit-projections.ts';
export { type KeptAudit, latestAudit, listAudits, runAudit } from './kept-audits.ts';
export { auditedValue, type ProjectionAudit } from './projection-audit.ts';
export type { AuditCheck, AuditedProjection, AuditFault, AuditReport, NamedStoredEvent } from './report.ts';
