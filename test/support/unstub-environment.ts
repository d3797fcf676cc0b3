import { afterAll, vi } from 'vitest';

// Vitest restores stubbed variables before the next test, which is too late for the hooks of the next file in the same
// worker.
afterAll(() => void vi.unstubAllEnvs());
