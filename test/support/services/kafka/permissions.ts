import kafkajs, { Kafka, logLevel } from 'kafkajs';
import { asAdministrator } from '../../topics.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** A permission, such as READ on a topic. */
export type Permission = [
  operation: 'READ' | 'DESCRIBE' | 'CREATE' | 'DESCRIBE_CONFIGS',
  type: 'TOPIC' | 'GROUP' | 'CLUSTER',
  name: string,
];

const clientOf = (broker: string) => new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });

/**
 * Grants permissions to a principal, such as `User:alice`. `broker` is an address at which anonymous clients have all
 * permissions.
 */
export async function grant(broker: string, principal: string, permissions: readonly Permission[]): Promise<void> {
  const acl = permissions.map(([operation, type, resourceName]) => ({
    principal,
    host: '*',
    operation: AclOperationTypes[operation],
    permissionType: AclPermissionTypes.ALLOW,
    resourceType: AclResourceTypes[type],
    resourceName,
    resourcePatternType: ResourcePatternTypes.LITERAL,
  }));
  await asAdministrator(clientOf(broker), async (admin) => await admin.createAcls({ acl }));
}

/** Revokes all of a principal's permissions. */
export async function revokeAll(broker: string, principal: string): Promise<void> {
  const filter = {
    principal,
    host: '*',
    operation: AclOperationTypes.ANY,
    permissionType: AclPermissionTypes.ANY,
    resourceType: AclResourceTypes.ANY,
    resourcePatternType: ResourcePatternTypes.ANY,
  };
  await asAdministrator(clientOf(broker), async (admin) => await admin.deleteAcls({ filters: [filter] }));
}
