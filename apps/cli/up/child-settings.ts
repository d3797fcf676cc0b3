import { readConfig as readApiConfig } from '@milepost/api/config';
import { readConfig as readIngestConfig } from '@milepost/ingest/config';
import { readConfig as readOpsConfig } from '@milepost/ops/config';
import { readConfig as readProjectorConfig } from '@milepost/projector/config';

/** Reads the settings of the processes that `up` will start, so that a wrong one is told before anything is made. */
export function readChildSettings(kafka: boolean): void {
  readApiConfig();
  readProjectorConfig();
  readOpsConfig();
  if (kafka) readIngestConfig();
}
