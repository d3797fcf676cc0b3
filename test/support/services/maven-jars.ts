import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CACHE = join(import.meta.dirname, '../../../.test-services');
/** What mends most of what is missing here. */
export const INSTALL_JAVA = 'install a JDK 17 or newer and Maven (Debian: openjdk-17-jdk-headless maven)';

async function assertJava(name: string, enable: string): Promise<void> {
  const version = await run('java', ['-version']).catch(() => null);
  if (version === null) throw new Error(`There is no java on PATH for ${name}: ${enable}.`);
  const major = Number(/version "(\d+)/.exec(version.stderr)?.[1] ?? 0);
  if (major < 17) throw new Error(`${name} needs Java 17 or newer, PATH has ${major}: ${enable}.`);
}

/**
 * The folder with the jars that a pom names, fetched from Maven Central at the first call and kept under `.test-services/`,
 * one folder per content of the pom.
 *
 * @param name of what is fetched, such as `Kafka`, for messages and for the folder
 * @param enable what to do without Java or Maven
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
  // Fetched beside its place: an interrupted fetch must not pass for a whole one.
  const draft = `${folder}.${process.pid}`;
  const parameters = ['--batch-mode', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`];
  try {
    await run('mvn', parameters, { maxBuffer: 64 * 1024 * 1024 });
    await rename(draft, folder).catch(async (error: unknown) => {
      if ((await stat(folder).catch(() => null)) === null) throw error;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`There is no mvn on PATH to fetch ${name} with: ${enable}.`);
    }
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    const fault = output.split('\n').find((line) => line.includes('[ERROR]')) ?? output;
    throw new Error(`${name} could not be fetched from Maven Central: ${fault}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
