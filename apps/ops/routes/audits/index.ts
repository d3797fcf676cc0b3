export { listAuditsRoute } from './list.ts';
export { showAuditRoute } from './show.ts';
export { startAuditRoute } from './start.ts';
