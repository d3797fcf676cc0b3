import { join } from 'node:path';
import { INSTALL_JAVA, mavenJars } from '../maven-jars.ts';

/** Returns the directory with Kafka's jars. The first call downloads them from Maven Central. */
export async function kafkaJars(): Promise<string> {
  return await mavenJars('Kafka', join(import.meta.dirname, 'pom.xml'), `${INSTALL_JAVA} or start a Docker engine`);
}
