import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERTS } from './alerts.ts';
import { monitoringFiles } from './render.ts';

const RUNBOOKS = join(import.meta.dirname, '../../docs/runbooks');
const HEADINGS = ['You see', 'Do', 'Then you see', 'Undo'];

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
  it('are one page for each alert', () => {
    const pages = globSync('*.md', { cwd: RUNBOOKS });
    expect(pages.sort()).toEqual(ALERTS.map(({ page }) => `${page}.md`).sort());
  });

  it.each(ALERTS)('$page names its alert, and has all sections', ({ name, page }) => {
    const text = readFileSync(join(RUNBOOKS, `${page}.md`), 'utf8');
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    expect(Array.from(text.matchAll(/^## (.*)$/gm), ([, heading]) => heading)).toEqual(HEADINGS);
  });
});
