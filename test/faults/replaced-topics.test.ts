import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Deployment, deploy } from '../support/deployment.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { Processes } from '../support/processes.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { portSettings } from '../support/services/free-port.ts';
import { asAdministrator, toMessage } from '../support/topics.ts';

const trips = (count: number) =>
  Array.from({ length: count }, () => toMessage(tripProcessed({ source_trip_id: randomUUID() })));

describeWithKafka('ingest with its own offsets', (brokers) => {
  it('begins at the start of the topics with a new database, whatever offset the group has committed', async () => {
    const { topics, processes, untilApplied } = await deploy(brokers);
    await topics.publish(trips(10));
    // An earlier database that used the same group would have left these offsets on the broker.
    const partitions = [0, 1, 2].map((partition) => ({ partition, offset: '10' }));
    const offsets = { groupId: topics.groupId, topic: topics.names.trips, partitions };
    await asAdministrator(topics.kafka, async (admin) => await admin.setOffsets(offsets));
    processes.start('ingest');
    await topics.publish(trips(5));
    await untilApplied();
  });

  /** Deploys Milepost, whose ingest process has read ten trips and stopped. */
  async function deployAfterTenTrips(): Promise<Deployment> {
    const deployment = await deploy(brokers);
    await deployment.topics.publish(trips(10));
    const ingest = deployment.processes.start('ingest');
    await deployment.untilApplied();
    expect(await ingest.stop()).toBe(0);
    return deployment;
  }

  /**
   * Resolves once the only source of trips has read this number of records and has been stopped with this fault.
   * Returns the source.
   */
  async function untilStopped({ owner, topics }: Deployment, records: number, fault: RegExp): Promise<string> {
    const sql = 'SELECT partition, records_read, fault FROM log_source WHERE topic = $1 AND stopped';
    const read = async () => (await owner.query(sql, [topics.names.trips])).rows;
    const stopped = [{ partition: expect.any(Number), records_read: records, fault: expect.stringMatching(fault) }];
    await expect.poll(read).toEqual(stopped);
    return `${topics.names.trips}/${(await read())[0].partition}`;
  }

  it('stops only a topic that was created again and already has the next offset, until an operator accepts the loss', async () => {
    const deployment = await deployAfterTenTrips();
    const { topics, processes, untilRead } = deployment;
    await topics.replaceTrips();
    await topics.publish(trips(30));
    const home = untilTestEnds(await openFolder()).path;
    const ports = await portSettings('PORT', 'OPS_PORT');
    const up = untilTestEnds(new Processes({ ...processes.settings, ...ports, MILEPOST_HOME: home })).start('up');
    const source = await untilStopped(deployment, 10, /was created again: at offset 9/);

    // Everything else continues, and every interface shows that the source has stopped.
    await topics.publish([toMessage(driverProfile())]);
    await untilRead(11);
    await expect.poll(up.output).toContain('Ctrl-C stops everything');
    const ready = async (name: string) => (await fetch(`http://127.0.0.1:${ports[name]}/readyz`)).json();
    expect(await ready('PORT')).toEqual({ status: 'ready' });
    // Ingest sends heartbeats once it has claimed the other partitions.
    await expect.poll(() => ready('OPS_PORT')).toEqual({ status: 'not_ready', reason: 'source_fault' });
    const status = await processes.run('status');
    expect(status).toContain(`${source} was created again: at offset 9`);
    expect(status).toContain(
      `To resume it, run \`milepost sources accept ${source} --from beginning\` (or pass an offset instead of \`beginning\`).`,
    );

    expect(await processes.run('sources', 'accept', source, '--from', 'beginning')).toContain('continues at offset 0');
    await untilRead(41);
    await expect.poll(() => ready('OPS_PORT')).toEqual({ status: 'ready' });
    expect(await processes.run('operations', 'list')).toContain(`${source} continues at offset 0 instead of 10`);
    expect(await up.stop()).toBe(0);
  });

  it('stops a topic that lost records before ingest read them', async () => {
    const deployment = await deployAfterTenTrips();
    const { topics, processes, untilRead } = deployment;
    await topics.publish(trips(10));
    await asAdministrator(topics.kafka, async (admin) => {
      const offsets = await admin.fetchTopicOffsets(topics.names.trips);
      const partitions = offsets.flatMap(({ partition, high }) => (high === '20' ? [{ partition, offset: '15' }] : []));
      await admin.deleteTopicRecords({ topic: topics.names.trips, partitions });
    });
    processes.start('ingest');
    const source = await untilStopped(deployment, 10, /is 10, but the broker holds 15 to 20/);
    await processes.run('sources', 'accept', source, '--from', 'beginning');
    await untilRead(15);
  });
});
