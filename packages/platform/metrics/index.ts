export { measureConnections } from './connections.ts';
export { measureProcess } from './registry.ts';
export { serveMetrics } from './server.ts';
