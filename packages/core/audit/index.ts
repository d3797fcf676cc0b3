export { runAudit, storeFailedAudit, UnknownAuditError } from './audit-projections.ts';
