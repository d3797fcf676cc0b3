import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onNpmExit } from './process.ts';

let parent = 0;

beforeEach(() => {
  parent = 4711;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('process', Object.create(process, { ppid: { get: () => parent } }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it('a process that npm started stops only when its parent has ended, and stops only once', () => {
  vi.stubEnv('npm_execpath', '/usr/lib/npm.js');
  const stop = vi.fn<() => void>();
  onNpmExit(stop);
  vi.advanceTimersByTime(60_000);
  expect(stop).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(stop).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('a process that a terminal or a service manager started survives its parent', () => {
  vi.stubEnv('npm_execpath', undefined);
  const stop = vi.fn<() => void>();
  onNpmExit(stop);
  parent = 1;
  vi.advanceTimersByTime(60_000);
  expect(stop).not.toHaveBeenCalled();
});
