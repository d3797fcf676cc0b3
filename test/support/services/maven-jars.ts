import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { execute } from '../execute.ts';
import { cachedFolder } from './cached-folder.ts';

/** What the user can do when Java or Maven is missing. */
export const INSTALL_JAVA = 'install a JDK 17 or newer and Maven (Debian: openjdk-17-jdk-headless maven)';

async function assertJava(name: string, enable: string): Promise<void> {
  const version = await execute('java', ['-version']).catch(() => null);
  if (version === null) throw new Error(`${name} needs java, which is not on PATH: ${enable}.`);
  const major = Number(/version "(\d+)/.exec(version.stderr)?.[1] ?? 0);
  if (major < 17) throw new Error(`${name} needs Java 17 or newer, PATH has ${major}: ${enable}.`);
}

/**
 * Returns the directory with the jars listed in a pom. The first call downloads them from Maven Central into
 * `.test-services/`, with a separate directory for each pom.
 *
 * @param name the name of the downloaded software, such as `Kafka`, for messages and the directory
 * @param enable what to do when Java or Maven is missing
 */
export async function mavenJars(name: string, pom: string, enable = INSTALL_JAVA): Promise<string> {
  await assertJava(name, enable);
  const version = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 12);
  return await cachedFolder(`${name.toLowerCase().replaceAll(' ', '-')}-${version}`, async (draft) => {
    const parameters = ['--batch-mode', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`];
    await execute('mvn', parameters, { maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        throw new Error(`The download of ${name} needs mvn, which is not on PATH: ${enable}.`);
      }
      const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
      const fault = output.split('\n').find((line) => line.includes('[ERROR]')) ?? output;
      throw new Error(`${name} cannot be downloaded from Maven Central: ${fault}`);
    });
  });
}
