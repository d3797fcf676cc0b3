import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { removeDirectory, temporaryDirectory } from './services/directory.ts';

interface Closable {
  close: () => Promise<unknown>;
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
        // A method may use private fields, which a proxy does not have.
        return typeof value === 'function' ? value.bind(opened) : value;
      },
    }),
    open: async () => {
      opened = await open();
    },
    close: async () => void (await opened?.close()),
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
export function untilTestEnds<Opened extends { close: () => unknown } | { end: () => Promise<unknown> }>(
  opened: Opened,
): Opened {
  onTestFinished(async () => void (await ('end' in opened ? opened.end() : opened.close())));
  return opened;
}

/** Creates a folder for temporary files, which `close` removes. */
export async function openFolder(): Promise<Closable & { path: string }> {
  const path = await temporaryDirectory('folder');
  return { path, close: async () => await removeDirectory(path) };
}
