import { describe, expect, it } from 'vitest';
import { HttpProblem } from './problem.ts';
import { QueryString } from './query-string.ts';

function faults(query: QueryString): unknown {
  try {
    query.finish();
    return [];
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return error.errors;
  }
}

describe('QueryString', () => {
  it('reads values as forms encode them, in order', () => {
    const query = new QueryString('/path?a=1+2&b=%C3%BC%2B&a=x=y&c');
    expect(query.all('a')).toEqual(['1 2', 'x=y']);
    expect(query.single('b')).toBe('ü+');
    expect(query.single('c')).toBe('');
    expect(query.has('d')).toBe(false);
    expect(faults(query)).toEqual([]);
  });

  it('finds nothing in an address without a query', () => {
    expect(new QueryString('/path').single('path')).toBeUndefined();
    expect(new QueryString('/path?').has('')).toBe(false);
  });

  it('is not misled by names of Object.prototype', () => {
    expect(new QueryString('/?x=1').all('constructor')).toEqual([]);
    expect(new QueryString('/?__proto__=1').single('__proto__')).toBe('1');
  });

  it('reports all faults at once and only of the parameters that were read', () => {
    const query = new QueryString('/?a=1&a=2&b=%ff&c=%zz');
    query.single('a');
    query.all('b');
    query.reject('d', 'Wrong.');
    expect(faults(query)).toEqual([
      { parameter: 'a', message: 'Must be given once, and is given 2 times.' },
      { parameter: 'b', message: 'Must be UTF-8 in valid percent-encoding.' },
      { parameter: 'd', message: 'Wrong.' },
    ]);
  });
});
