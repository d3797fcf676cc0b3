import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { ROOT } from './sources.ts';

/** Runs test files with an empty PATH. */
async function runFiles(files: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>> = {}) {
  const { path: folder } = untilTestEnds(await openFolder());
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const reporter = join(ROOT, 'test/support/services-reporter.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, '--globals', '--reporter', 'default', '--reporter', reporter],
    { encoding: 'utf8', env: { ...process.env, PATH: '', REQUIRE_SERVICES: '', ...settings } },
  );
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

const PROGRAMS = {
  'programs.test.js': `
    import { needs, unless } from '${join(ROOT, 'test/support/programs.ts')}';
    describe('e', needs('promtool'), () => { beforeAll(() => expect.fail()); it('f', () => {}); it.each([1, 2])('g', () => {}); });
    it('h', needs('nginx', 'curl'), () => {});
    it('i', unless('kafka: start it'), () => {});
    it('j', unless(null), () => {});
    it('k', needs(), () => {});
    it.skip('l', () => {});`,
};

it('a test run ends with the skipped tests, what to install for them, and the numbers of tests', async () => {
  const { status, lines } = await runFiles({
    ...PROGRAMS,
    'some.test.js': `it('a'); it('b', () => {}); it.skip('c'); it('d', () => expect(1).toBe(2));`,
    'broken.test.js': `throw new Error('planted');`,
  });
  const skipped = lines.filter((line) => line.startsWith('Skipped: '));
  expect(skipped.sort()).toEqual(['Skipped: a', 'Skipped: c', 'Skipped: l']);
  expect(lines.slice(-4)).toEqual([
    'Skipped 3 tests that need promtool: install it with apt-get install prometheus',
    'Skipped 1 test that needs nginx: install it with apt-get install nginx-light, and add /usr/sbin to PATH',
    'Skipped 1 test that needs kafka: start it',
    '3 passed, 2 failed, 8 skipped',
  ]);
  expect(status).toBe(1);
  expect(config).toMatchObject({ test: { reporters: ['default', './test/support/services-reporter.ts'] } });
});

it('a missing program fails a test run with REQUIRE_SERVICES=1', async () => {
  const { status, lines, errors } = await runFiles(PROGRAMS, { REQUIRE_SERVICES: '1' });
  expect(errors).toContain('REQUIRE_SERVICES=1, but a test needs promtool: install it with apt-get install prometheus');
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  expect(status).toBe(1);
});
