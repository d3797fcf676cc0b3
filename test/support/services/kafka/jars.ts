import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const POM = join(import.meta.dirname, 'pom.xml');
const CACHE = join(import.meta.dirname, '../../../../.test-services');
const ENABLE = 'install a JDK 17 or newer and Maven (Debian: openjdk-17-jdk-headless maven) or start a Docker engine';

async function assertJava(): Promise<void> {
  const version = await run('java', ['-version']).catch(() => null);
  if (version === null) throw new Error(`There is no java on PATH for Kafka: ${ENABLE}.`);
  const major = Number(/version "(\d+)/.exec(version.stderr)?.[1] ?? 0);
  if (major < 17) throw new Error(`Kafka needs Java 17 or newer, PATH has ${major}: ${ENABLE}.`);
}

/**
 * The folder with Kafka's jars, fetched from Maven Central at the first call and kept under `.test-services/`, one folder
 * per content of the pom.
 */
export async function kafkaJars(): Promise<string> {
  await assertJava();
  const version = createHash('sha256')
    .update(await readFile(POM))
    .digest('hex')
    .slice(0, 12);
  const folder = join(CACHE, `kafka-${version}`);
  if ((await stat(folder).catch(() => null)) !== null) return folder;
  await mkdir(CACHE, { recursive: true });
  // Fetched beside its place: an interrupted fetch must not pass for a whole one.
  const draft = `${folder}.${process.pid}`;
  const parameters = ['--batch-mode', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${draft}`];
  try {
    await run('mvn', parameters, { maxBuffer: 64 * 1024 * 1024 });
    await rename(draft, folder).catch(async (error: unknown) => {
      if ((await stat(folder).catch(() => null)) === null) throw error;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`There is no mvn on PATH to fetch Kafka with: ${ENABLE}.`);
    }
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    const fault = output.split('\n').find((line) => line.includes('[ERROR]')) ?? output;
    throw new Error(`Kafka could not be fetched from Maven Central: ${fault}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
