export { type AuditSummary, findAudit, findAudits } from './find.ts';
