import { describe, it } from 'vitest';
import { kafkaJars } from './services/kafka/jars.ts';
import { reasonOf } from './services/services.ts';

const missing = await kafkaJars().then(() => null, reasonOf);
if (missing !== null && process.env['REQUIRE_SERVICES'] === '1') {
  throw new Error(`REQUIRE_SERVICES=1, but no broker can be started here. ${missing}`);
}

/** Declares a suite that starts brokers of its own with this machine's Java. It is skipped without Java or Maven. */
export function describeWithOwnBroker(title: string, body: () => void): void {
  if (missing === null) describe(title, body);
  else it.skipIf(true)(`${title} (needs a broker of its own: ${missing})`, () => {});
}
