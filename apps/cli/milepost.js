#!/usr/bin/env node
// Plain JavaScript, which every version of Node can run. An older Node starts the Node that is installed with Milepost.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;

function findNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    return null;
  }
}

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  await import('./main.ts');
} else {
  const node = findNode();
  if (node === null) {
    process.stderr.write(
      `milepost: It needs Node ${NEEDED}, and this is Node ${process.versions.node}: install a newer one.\n`,
    );
    process.exit(2);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
