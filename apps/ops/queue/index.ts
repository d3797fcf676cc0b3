export { type Enqueue, type Enqueuer, openEnqueuer } from './enqueue.ts';
export { prepareQueue } from './postgres-backend.ts';
export { type JobQueue, type JobWorker, openQueue, openWorker, type QueueSettings } from './queue.ts';
