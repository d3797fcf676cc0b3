export { listProjectionsRoute } from './list.ts';
export { rollBackRoute } from './roll-back.ts';
