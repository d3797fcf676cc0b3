import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program until it exits. Resolves with its output, and rejects if the program fails. */
export const execute = promisify(execFile);
