export { cancel, drop, pause, resume } from './control.ts';
export { list } from './list.ts';
export { promote } from './promote.ts';
export { refusalSentence } from './refusals.ts';
export { ReplayList, ReplayResource } from './resource.ts';
export { rollBack } from './roll-back.ts';
export { showOne } from './show.ts';
export { start } from './start.ts';
export { throttle } from './throttle.ts';
