export { listAudits } from './list.ts';
export { AuditResource } from './resource.ts';
export { showAudit } from './show.ts';
export { startAudit } from './start.ts';
