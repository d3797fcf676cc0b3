import kafkajs from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { connectionOptions, KafkaClient } from '../connection/client.ts';
import { causesOf } from '../connection/errors.ts';

/**
 * If the client's error says that a group has no coordinator, returns the error from the brokers' response, which the
 * client logs and then discards. Returns any other error unchanged.
 *
 * @param error any error from a consumer
 */
export async function findGroupError(error: unknown, config: KafkaConfig): Promise<unknown> {
  const isHidden = [...causesOf(error)].some((cause) => cause instanceof kafkajs.KafkaJSGroupCoordinatorNotFound);
  if (!isHidden) return error;
  let answered: unknown = error;
  const kafka = new KafkaClient({
    ...connectionOptions(config),
    // The first attempt loads the addresses of the brokers.
    retry: { retries: 1, initialRetryTime: 100 },
    logLevel: kafkajs.logLevel.DEBUG,
    logCreator:
      () =>
      ({ log }) => {
        if (log.message === 'Tried to find group coordinator') answered = log['error'];
      },
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.describeGroups([config.groupId]);
  } catch {
    // The client has logged the response.
  } finally {
    await admin.disconnect().catch(() => {});
  }
  return answered;
}
