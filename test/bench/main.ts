import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** `npm run bench [NAME]`: one benchmark, or all of them one after the other, each in a process of its own. */
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [wanted] = process.argv.slice(2);
if (wanted !== undefined && !names.includes(wanted)) {
  console.error(`There is no benchmark ${wanted}: choose one of ${names.join(', ')}.`);
  process.exit(2);
}
for (const name of wanted === undefined ? names : [wanted]) {
  console.log(`\n== ${name}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) process.exit(1);
}
