import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { removeDirectory, temporaryDirectory } from './services/directory.ts';

/** Something that is in use until one of these methods is called. */
type Closable = { close: () => unknown } | { end: () => unknown } | { stop: () => unknown } | { drop: () => unknown };

async function close(opened: Closable): Promise<void> {
  if ('end' in opened) await opened.end();
  else if ('close' in opened) await opened.close();
  else if ('stop' in opened) await opened.stop();
  else await opened.drop();
}

/** Returns an object with the properties and methods of the object that was opened last. */
function fixture<Opened extends Closable>(open: () => Promise<Opened>) {
  let opened: Opened | undefined;
  const target: Opened = Object.create(null);
  return {
    current: new Proxy(target, {
      get(_, name) {
        if (!opened) throw new Error('The fixture is open only while tests are running.');
        const value: unknown = Reflect.get(opened, name, opened);
        // Bind each method to the opened object, because it may use private fields, which the proxy lacks.
        return typeof value === 'function' ? value.bind(opened) : value;
      },
    }),
    open: async () => {
      opened = await open();
    },
    close: async () => void (opened && (await close(opened))),
  };
}

/** Opens something before the first test in a suite and closes it after the last. */
export function perSuite<Opened extends Closable>(open: () => Promise<Opened>): Opened {
  const { current, ...hooks } = fixture(open);
  beforeAll(hooks.open);
  afterAll(hooks.close);
  return current;
}

/** Opens something before each test in a suite. It is closed last, after everything that the test itself closes. */
export function perTest<Opened extends Closable>(open: () => Promise<Opened>): Opened {
  const { current, ...hooks } = fixture(open);
  beforeEach(async (context) => {
    await hooks.open();
    context.onTestFinished(hooks.close);
  });
  return current;
}

/** Closes something when the running test ends. */
export function untilTestEnds<Opened extends Closable>(opened: Opened): Opened {
  onTestFinished(async () => await close(opened));
  return opened;
}

/** Creates a folder for temporary files, which `close` removes. */
export async function openFolder(): Promise<{ path: string; close: () => Promise<void> }> {
  const path = await temporaryDirectory('folder');
  return { path, close: async () => await removeDirectory(path) };
}
