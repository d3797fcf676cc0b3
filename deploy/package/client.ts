import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds the client's registry package, with JavaScript modules, their declarations and no dependencies. Throws if the
 * compiler rejects the sources.
 *
 * @param root the folder of the repository
 * @param target the package's folder, which is replaced
 */
export function writeClient(root: string, target: string): void {
  const folder = join(root, 'packages/client');
  rmSync(target, { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', target], { stdio: 'inherit' });
  // The compiler does not copy declaration files.
  cpSync(join(folder, 'openapi.d.ts'), join(target, 'openapi.d.ts'));
  cpSync(join(folder, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const read = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'));
  const { name, version, description, type } = read(join(folder, 'package.json'));
  const { license } = read(join(root, 'package.json'));
  const manifest = {
    ...{ name, version, description, license, type },
    // Earlier releases of Node have no AbortSignal.any.
    engines: { node: '>=20.3.0' },
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
