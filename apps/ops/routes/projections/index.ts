export { listProjectionsRoute } from './list.ts';
