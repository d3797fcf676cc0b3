import { join } from 'node:path';
import { INSTALL_JAVA, mavenJars } from '../maven-jars.ts';

/** The directory with Kafka's jars, downloaded from Maven Central on the first call. */
export async function kafkaJars(): Promise<string> {
  return await mavenJars('Kafka', join(import.meta.dirname, 'pom.xml'), `${INSTALL_JAVA} or start a Docker engine`);
}
