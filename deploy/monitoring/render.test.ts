import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERTS, pageOf } from './alerts.ts';
import { monitoringFiles } from './render.ts';

const RUNBOOKS = join(import.meta.dirname, '../../docs/runbooks');
const HEADINGS = ['Signs', 'Steps', 'Result', 'Undo'];
const FACTS = /^# .*\n\n\| severity \| customers see \| time \| call next \|\n\|---\|---\|---\|---\|\n/.source;
const WHERE = /\[Where to run the commands\]\(README\.md#where-to-run-the-commands\)/.source;

describe('the files for Prometheus and Grafana', () => {
  it('are those that the lists of alerts and dashboards produce', () => {
    const expected = monitoringFiles();
    const existing = globSync(['prometheus/milepost.*', 'grafana/*'], { cwd: import.meta.dirname });
    expect(existing.sort()).toEqual(Object.keys(expected).sort());
    for (const [file, content] of Object.entries(expected)) {
      expect(readFileSync(join(import.meta.dirname, file), 'utf8'), file).toBe(content);
    }
  });

  it('link to the runbooks at a URL', () => {
    const rules = monitoringFiles('https://example.org/runbooks')['prometheus/milepost.rules.yml'];
    expect(rules).toContain('runbook_url: https://example.org/runbooks/process-down.md');
  });
});

describe('the runbooks', () => {
  const pages = globSync('*.md', { cwd: RUNBOOKS }).filter((page) => page !== 'README.md');

  it('are pages in the index, and each alert has one', () => {
    const index = readFileSync(join(RUNBOOKS, 'README.md'), 'utf8');
    const links = Array.from(index.matchAll(/^\| \[.*\]\((\S+)\)/gm), ([, link]) => link);
    expect(links.sort()).toEqual(pages.sort());
    expect(pages).toEqual(expect.arrayContaining(ALERTS.map((alert) => `${pageOf(alert)}.md`)));
  });

  it.each(ALERTS)('name their alerts: $name', (alert) => {
    expect(readFileSync(join(RUNBOOKS, `${pageOf(alert)}.md`), 'utf8').startsWith(`# ${alert.name}\n`)).toBe(true);
  });

  it.each(pages)('begin with a table, and have all sections: %s', (page) => {
    const text = readFileSync(join(RUNBOOKS, page), 'utf8');
    const severity = ALERTS.find((alert) => `${pageOf(alert)}.md` === page)?.severity ?? '(?:page|planned)';
    expect(text).toMatch(new RegExp(`${FACTS}\\| ${severity} (?:\\| \\S[^|]* ){3}\\|\n\n${WHERE}\n`));
    expect(Array.from(text.matchAll(/^## (.*)$/gm), ([, heading]) => heading)).toEqual(HEADINGS);
  });

  it.each(pages)('put no command after one that runs until it is stopped: %s', (page) => {
    const text = readFileSync(join(RUNBOOKS, page), 'utf8');
    for (const [, block = ''] of text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)) {
      const lines = block.trim().split('\n');
      expect(
        lines.filter((line) => /^ *milepost (?:api|ingest|projector|ops)\b/.test(line) && lines.length > 1),
      ).toEqual([]);
    }
  });
});
