import { afterEach, expect, it, vi } from 'vitest';
import { onNpmExit } from './process.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it('a process that a terminal or a service manager started survives its parent', () => {
  let parent = 4711;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('process', Object.create(process, { ppid: { get: () => parent } }));
  vi.stubEnv('npm_execpath', undefined);
  const stop = vi.fn<() => void>();
  onNpmExit(stop);
  parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(stop).not.toHaveBeenCalled();
});
