import { SettingError } from '@milepost/service';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, sentenceOf, UsageError } from './failure.ts';

describe('exit codes', () => {
  it.each([
    ['help or version', new CommanderError(0, 'commander.helpDisplayed', ''), 0],
    ['an unknown option', new CommanderError(1, 'commander.unknownOption', ''), 2],
    ['a command line without sense', new UsageError('No.'), 2],
    ['a wrong setting', new SettingError('No.'), 2],
    ['anything else', new Error('No.'), 1],
  ])('tells %s apart', (_what, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe('the sentence of a failure', () => {
  it('is one line whatever the message', () => {
    expect(sentenceOf(new Error('First.\n  Second.\n'))).toBe('First. Second.');
  });

  it('finds the message of a connection refused on every address', () => {
    expect(sentenceOf(new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]))).toContain('ECONNREFUSED');
  });

  it('is what made the command fail, not what failed while it cleaned up', () => {
    expect(sentenceOf(new SuppressedError(new Error('later'), new Error('first')))).toBe('first');
  });
});
