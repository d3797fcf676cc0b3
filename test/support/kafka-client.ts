import { patchClient } from '@milepost/kafka/patch-client';

// When a process starts its first consumer, the Kafka client loads the modules that the product patches, and keeps
// them. If a test starts this consumer, the ingest tests that run later in the same worker need the patches too.
patchClient();
