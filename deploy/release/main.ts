// Prints the changes in a release: `npm run --silent release-notes v0.2.0`
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './notes.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const { version }: { version: string } = JSON.parse(textOf('package.json'));
try {
  process.stdout.write(`${releaseNotes(process.argv[2] ?? '', version, textOf('CHANGELOG.md'))}\n`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
