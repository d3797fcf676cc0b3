export { keepFailedAudit, runAudit, UnknownAuditError } from './audit-projections.ts';
export { AuditReport } from './report.ts';
