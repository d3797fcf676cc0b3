import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../test/architecture/sources.ts';
import { releaseNotes } from './notes.ts';

const CHANGELOG = '# Changes\n\n## 0.2.0\n\n- New.\n- Newer.\n\n## 0.1.0\n\n- Old.\n\n## 0.0.9\n\n';

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('the notes of a release contain only its changes', () => {
  expect(releaseNotes('v0.2.0', '0.2.0', CHANGELOG)).toBe('- New.\n- Newer.');
  expect(releaseNotes('v0.1.0', '0.1.0', CHANGELOG)).toBe('- Old.');
});

it('the changelog contains the changes of the current version', () => {
  const { version }: { version: string } = JSON.parse(textOf('package.json'));
  expect(releaseNotes(`v${version}`, version, textOf('CHANGELOG.md'))).toMatch(/^\S/);
});

it.each([
  ['v0.1.0', '0.2.0', /use v0\.2\.0/],
  ['', '0.2.0', /use v0\.2\.0/],
  ['v0.3.0', '0.3.0', /no changes under "## 0\.3\.0"/],
  ['v0.0.9', '0.0.9', /no changes under "## 0\.0\.9"/],
])('a release is refused for the tag "%s" and the version %s', (tag, version, message) => {
  expect(() => releaseNotes(tag, version, CHANGELOG)).toThrow(message);
});

it('the workflow runs all checks, and only scripts that exist', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));
  const workflow: { jobs: Record<string, { steps: { run?: string }[] }> } = parse(
    textOf('.github/workflows/release.yml'),
  );
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => run.split('\n')),
  );
  const used = commands.flatMap((command) => /npm run (?:--silent )?([\w:-]+)/.exec(command)?.[1] ?? []);
  expect(used).toEqual(['release-notes', 'package']);
  for (const script of used) expect(Object.keys(scripts)).toContain(script);
  const files = commands.flatMap((command) => command.match(/(?:deploy|\.ci)\/\S+/g) ?? []);
  expect(files).toEqual(['.ci/run', 'deploy/Dockerfile']);
  for (const file of files) textOf(file);
});
