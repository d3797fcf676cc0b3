/** Makes a program print the URL of every imported module to stderr (`node --import MODULE_PROBE`). */
export const MODULE_PROBE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    const found = next(name, context);
    process.stderr.write(found.url + '\\n');
    return found;
  } });`)}`;
