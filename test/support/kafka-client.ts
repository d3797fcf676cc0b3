import { patchClient } from '@milepost/kafka';

// When a process starts its first consumer, the Kafka client loads the modules that the product patches, and keeps
// them. Suppose that this first consumer is a test's own: without this call, the ingest tests that run later in the
// same worker would get unpatched modules.
patchClient();
