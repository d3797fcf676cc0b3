import { patchClient } from '@milepost/kafka';

// When a process starts its first consumer, the Kafka client loads the modules that the product patches and keeps them.
// Without this call, a test that starts its own consumer would leave unpatched modules to the tests of ingest that run
// later in the same worker.
patchClient();
