/**
 * Returns a broker's settings for tests. One node is both broker and controller, and internal topics have one replica.
 * Groups form without delay, and session timeouts can be short enough for a test that loses a consumer.
 *
 * @param host the address at which the node listens and finds its controller; empty in a container, which listens on
 * all addresses
 */
export function kafkaSettings(advertised: string, ports: { broker: number; controller: number }, host: string) {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    listeners: `PLAINTEXT://${host}:${ports.broker},CONTROLLER://${host}:${ports.controller}`,
    'advertised.listeners': `PLAINTEXT://${advertised}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    ...(host === '' ? {} : { 'controller.quorum.bootstrap.servers': `${host}:${ports.controller}` }),
    'auto.create.topics.enable': 'false',
    'message.max.bytes': String(10 * 1024 * 1024),
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '3',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '3',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
  };
}
