import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CACHE = join(import.meta.dirname, '../../../.test-services');
/** What the user can do when Java or Maven is missing. */
export const INSTALL_JAVA = 'install a JDK 17 or newer and Maven (Debian: openjdk-17-jdk-headless maven)';

async function assertJava(name: string, enable: string): Promise<void> {
  const version = await run('java', ['-version']).catch(() => null);
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
  const folder = join(CACHE, `${name.toLowerCase().replaceAll(' ', '-')}-${version}`);
  if ((await stat(folder).catch(() => null)) !== null) return folder;
  await mkdir(CACHE, { recursive: true });
  // The jars are downloaded into a temporary directory, because an interrupted download must not look complete.
  const draft = `${folder}.${process.pid}`;
  const parameters = ['--batch-mode', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`];
  try {
    await run('mvn', parameters, { maxBuffer: 64 * 1024 * 1024 });
    await rename(draft, folder).catch(async (error: unknown) => {
      if ((await stat(folder).catch(() => null)) === null) throw error;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`The download of ${name} needs mvn, which is not on PATH: ${enable}.`);
    }
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    const fault = output.split('\n').find((line) => line.includes('[ERROR]')) ?? output;
    throw new Error(`${name} cannot be downloaded from Maven Central: ${fault}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
