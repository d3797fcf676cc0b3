import { join } from 'node:path';
import { execute } from '../execute.ts';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Runs `docker` in the repository's root directory. Resolves with the trimmed stdout. When the command fails, rejects
 * with the command and the last line of its stderr.
 */
export async function docker(parameters: string[], settings: Record<string, string> = {}): Promise<string> {
  try {
    const { stdout } = await execute('docker', parameters, {
      cwd: ROOT,
      env: { ...process.env, ...settings },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const last = stderr.trim().split('\n').slice(-5).join('\n');
    throw new Error(`docker ${parameters.join(' ')} failed: ${last || String(error)}`, { cause: error });
  }
}
