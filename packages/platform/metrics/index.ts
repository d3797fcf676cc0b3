export { measureConnections } from './connections.ts';
export { addGauges } from './gauges.ts';
export { measureProcess, serveMetrics, shareReads } from './server.ts';
