import { patchClient } from '@milepost/kafka';

// When a process starts its first consumer, the Kafka client loads and keeps the modules that the product patches.
// Without this call, a test that starts its own consumer would leave unpatched modules for the ingest tests that run
// later in the same worker.
patchClient();
