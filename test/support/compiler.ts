import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from './execute.ts';
import { ROOT } from './milepost.ts';

/** Compiles the programs in a folder with this repository's settings and additional ones. Returns the messages. */
export async function compile(folder: string, settings: object): Promise<string> {
  const all = { extends: join(ROOT, 'tsconfig.json'), ...settings };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(all));
  const words = [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', folder, '--pretty', 'false'];
  return await execute(process.execPath, words).then(
    () => '',
    ({ stdout }) => String(stdout),
  );
}
