import { patchClient } from '@milepost/kafka';

// The Kafka client loads these modules with the first consumer of a process. A test that starts a consumer of its own
// would otherwise leave the client's own modules to the tests of ingest that run after it in the same worker.
patchClient();
