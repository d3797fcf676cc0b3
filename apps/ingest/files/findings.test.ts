import { describe, expect, it } from 'vitest';
import { Findings } from './findings.ts';

describe('the findings in a file', () => {
  it('count each record once, keep its first three lines, and list the largest group first', () => {
    const findings = new Findings();
    findings.add(1, 'missing_field', '/driver_id', 'first');
    for (const line of [2, 2, 3, 4, 5]) findings.add(line, 'invalid_field', `/events/${line}/event_type`, `of ${line}`);
    expect(findings.list()).toEqual([
      { reason: 'invalid_field', field: '/events/*/event_type', records: 4, lines: [2, 3, 4], message: 'of 2' },
      { reason: 'missing_field', field: '/driver_id', records: 1, lines: [1], message: 'first' },
    ]);
    expect(findings.isCutOff).toBe(false);
  });

  it('distinguish reasons and fields, and a number in a name is not an index', () => {
    const findings = new Findings();
    for (const field of [null, '/trail_path/7', '/trail_path/8', '/h3', '/h4']) {
      findings.add(1, 'invalid_field', field, 'wrong');
    }
    findings.add(1, 'missing_field', '/h3', 'missing');
    expect(findings.list().map(({ reason, field }) => `${reason} ${field}`)).toEqual([
      'invalid_field null',
      'invalid_field /trail_path/*',
      'invalid_field /h3',
      'invalid_field /h4',
      'missing_field /h3',
    ]);
  });

  it('are cut off after 500 groups, and the known groups still count', () => {
    const findings = new Findings();
    for (let field = 0; field < 500; field += 1) findings.add(1, 'invalid_field', `/field_${field}`, 'wrong');
    expect(findings.isCutOff).toBe(false);
    findings.add(2, 'invalid_field', '/field_499', 'wrong');
    expect(findings.isCutOff).toBe(false);
    findings.add(2, 'invalid_field', '/field_500', 'wrong');
    expect(findings.isCutOff).toBe(true);
    expect(findings.list()).toHaveLength(500);
    expect(findings.list()[0]).toMatchObject({ field: '/field_499', records: 2, lines: [1, 2] });
  });

  it('name the field that a record has under another name, next to the right one', () => {
    const findings = new Findings();
    findings.addWarning(1, { reason: 'other_name', field: '/events/3/event_type', name: 'type' });
    findings.addWarning(1, { reason: 'unknown_field', field: '/events/3', name: 'color' });
    findings.addWarning(1, { reason: 'unknown_field', field: '', name: 'wind' });
    findings.addWarning(1, { reason: 'course_out_of_range', field: '/trail_path/*/course' });
    expect(findings.list().map(({ field }) => field)).toEqual([
      '/events/*/type',
      '/events/*/color',
      '/wind',
      '/trail_path/*/course',
    ]);
    expect(findings.list()[0]?.message).toBe('Did you mean /events/3/event_type? It is missing.');
  });
});
