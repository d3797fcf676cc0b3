import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Broker } from './broker.ts';
import type { JavaPeer } from './java-peer.ts';

/** The tables that Kafka Streams has built from a topic. */
export type StreamsRebuild = Awaited<ReturnType<typeof rebuildFromTopic>>;

/**
 * Builds the drivers' days and weeks in empty state stores from all `trips` in a topic. The returned seconds run from
 * the first trip until the state is on disk, so they exclude the process's startup.
 */
export async function rebuildFromTopic(peer: JavaPeer, broker: Broker, topic: string, trips: number) {
  const id = `rollups-${randomUUID()}`;
  const child = peer.start('Rollups', [broker.addresses.join(','), topic, id, join(peer.directory, id), String(trips)]);
  if (child.stdout === null) throw new Error(`${peer.name} has no stdout.`);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${peer.name} exited with code ${child.exitCode}: ${output}`);
  const [seconds = 0, days = 0, weeks = 0, summed = 0, miles = 0] = (output.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, days, weeks, trips: summed, miles };
}
