export { measureConnections } from './connections.ts';
export { measureProcess, serveMetrics } from './server.ts';
