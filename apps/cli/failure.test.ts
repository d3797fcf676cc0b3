import { stripVTControlCharacters } from 'node:util';
import { SettingError } from '@milepost/service';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, failureLine, sentenceOf, UsageError } from './failure.ts';

describe('exitCodeOf', () => {
  it.each([
    ['help or version', new CommanderError(0, 'commander.helpDisplayed', ''), 0],
    ['an unknown option', new CommanderError(1, 'commander.unknownOption', ''), 2],
    ['an invalid command line', new UsageError('No.'), 2],
    ['a wrong setting', new SettingError('No.'), 2],
    ['anything else', new Error('No.'), 1],
  ])('returns the exit code for %s', (_what, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe('sentenceOf', () => {
  it('returns one line, whatever the message', () => {
    expect(sentenceOf(new Error('First.\n  Second.\n'))).toBe('First. Second.');
  });

  it('returns the cause when every address of a host refused the connection', () => {
    expect(sentenceOf(new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]))).toContain('ECONNREFUSED');
  });

  it('returns the error that made the command fail, not a later error of the cleanup', () => {
    expect(sentenceOf(new SuppressedError(new Error('later'), new Error('first')))).toBe('first');
    const twice = new SuppressedError(new Error('last'), new SuppressedError(new Error('later'), new Error('first')));
    expect(sentenceOf(twice)).toBe('first');
  });

  it('is never empty: an error without a message has its name, and a thrown value its text', () => {
    expect(sentenceOf(new TypeError(''))).toBe('TypeError');
    expect(sentenceOf(new AggregateError([], ''))).toBe('AggregateError');
    expect(sentenceOf('thrown')).toBe('thrown');
  });

  it('is null for an error that commander has printed', () => {
    expect(sentenceOf(new CommanderError(1, 'commander.unknownOption', 'error: unknown'))).toBeNull();
  });
});

it('the last line of a failed command has a prefix by which `up` recognizes it', () => {
  expect(stripVTControlCharacters(failureLine('No.'))).toBe('milepost: No.\n');
});
