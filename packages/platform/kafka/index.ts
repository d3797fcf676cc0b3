export { refusalOf, traceparentOf } from './batches/record-batch.ts';
export { createKafkaClient } from './connection/client.ts';
export { deniedTopic, findingOf, identityOf, isCoordinatorLoading, isOfGroup } from './connection/errors.ts';
export { checkTopicConfiguration, readTopicConfiguration } from './connection/topic-checks.ts';
export { prepareTopics, type TopicsAdmin } from './connection/topics.ts';
export { deniedTopicOf } from './patches/fetch-errors.ts';
export { unhideGroupError } from './patches/find-group.ts';
export { patchClient } from './patches/patch-client.ts';
