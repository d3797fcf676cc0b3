export { runKafkaIngest } from './run.ts';
