import { messageOf } from '@milepost/service';

/** A fault that lasts is told once in this time. */
const FAULT_MILLISECONDS = 10_000;

/** Makes a listener that tells of passing faults on stderr, now and then. */
export function faultTeller(): (error: unknown) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - told < FAULT_MILLISECONDS) return;
    told = performance.now();
    process.stderr.write(`The database does not answer at the moment: ${messageOf(error)}. Trying again.\n`);
  };
}
