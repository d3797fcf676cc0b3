import { type ChildProcess, spawn } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '../../support/execute.ts';
import { removeDirectory, temporaryDirectory } from '../../support/services/directory.ts';
import { INSTALL_JAVA, mavenJars } from '../../support/services/maven-jars.ts';

/** The heap size that Kafka's scripts set for a Connect worker. Every peer gets it. */
const MEMORY = '2g';

/** A peer that runs on Java: its libraries, and sources in this repository that make the libraries do the same work. */
export type JavaPeer = Awaited<ReturnType<typeof prepareJavaPeer>>;

/**
 * Returns a benchmark's `peer`. If it cannot be prepared, prints one sentence and returns null, and the benchmark
 * continues without it.
 */
export async function peerOrNone<Peer>(peer: Promise<Peer>): Promise<Peer | null> {
  return await peer.catch((error: unknown) => {
    console.log(`Without this peer: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    return null;
  });
}

/**
 * On the first call, fetches the jars listed in the `pom.xml` of a folder in `peers`. Compiles the folder's sources.
 *
 * @throws Error with one sentence if the JDK or Maven is missing, or if Maven Central does not serve the jars
 */
export async function prepareJavaPeer(name: string, folderName: string) {
  const folder = join(import.meta.dirname, '../peers', folderName);
  const jars = await mavenJars(name, join(folder, 'pom.xml'));
  const directory = await temporaryDirectory('bench-peer');
  const classes = join(directory, 'classes');
  const remove = async () => await removeDirectory(directory);
  try {
    const sources = (await readdir(folder)).filter((file) => file.endsWith('.java')).map((file) => join(folder, file));
    await cp(join(folder, 'META-INF'), join(classes, 'META-INF'), { recursive: true }).catch(() => {});
    await execute('javac', ['-cp', join(jars, '*'), '-d', classes, ...sources]);
  } catch (error) {
    await remove();
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`${name} needs javac, which is not on PATH: ${INSTALL_JAVA}.`);
    }
    throw new Error(`${name} could not be compiled: ${error instanceof Error ? error.message : String(error)}`);
  }
  const settings = [`-Xmx${MEMORY}`, '-Duser.timezone=UTC', '-cp', `${join(jars, '*')}:${classes}`];
  return {
    name,
    /** The peer's own directory for its files. */
    directory,
    /** Starts a main class in its own process and shows its errors. */
    start: (mainClass: string, parameters: readonly string[]): ChildProcess =>
      spawn('java', [...settings, mainClass, ...parameters], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] }),
    [Symbol.asyncDispose]: remove,
  };
}
