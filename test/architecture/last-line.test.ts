import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { ROOT } from './sources.ts';

it('a test run ends with the numbers of passed, failed and skipped tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-last-line-'));
  try {
    writeFileSync(
      join(folder, 'some.test.js'),
      `it('a'); it('b', () => {}); it.skip('c'); it('d', () => expect(1).toBe(2));`,
    );
    writeFileSync(join(folder, 'broken.test.js'), `throw new Error('planted');`);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const reporter = join(ROOT, 'test/support/services-reporter.ts');
    const { status, stdout } = spawnSync(
      process.execPath,
      [vitest, 'run', '--root', folder, '--globals', '--reporter', 'default', '--reporter', reporter],
      { encoding: 'utf8' },
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 2 failed, 2 skipped');
    expect(status).toBe(1);
    expect(config).toMatchObject({ test: { reporters: ['default', './test/support/services-reporter.ts'] } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
