export { type Enqueue, type Enqueuer, openEnqueuer } from './enqueue.ts';
export { prepareQueue } from './postgres-backend.ts';
export { type JobQueue, openQueue, openWorker, type QueueSettings } from './queue.ts';
