import { stringify } from 'yaml';
import { ALERTS, type Alert, pageOf, type Series } from './alerts.ts';
import { DASHBOARDS, type Dashboard } from './dashboards.ts';

const NOTE = ' `node deploy/monitoring/main.ts` writes this file from alerts.ts.\n';
/** The time at which the unit tests evaluate the alerts. It exceeds every range and duration in the alerts. */
const EVALUATED_AT = '90m';
const PANEL = { width: 12, height: 8, columns: 2 };

function yaml(value: object): string {
  return `#${NOTE}${stringify(value, { lineWidth: 0 })}`;
}

function annotations(alert: Alert, runbooks: string) {
  return { summary: alert.summary, runbook_url: `${runbooks}/${pageOf(alert)}.md` };
}

function rules(runbooks: string): string {
  const all = ALERTS.map((alert) => ({
    alert: alert.name,
    expr: alert.expression,
    ...(alert.minutes === undefined ? {} : { for: `${alert.minutes}m` }),
    labels: { severity: alert.severity },
    annotations: annotations(alert, runbooks),
  }));
  return yaml({ groups: [{ name: 'milepost', rules: all }] });
}

/** Returns a summary in which each label is replaced by its value, as Prometheus does. */
function rendered(text: string, labels: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
}

function ruleTests(runbooks: string): string {
  const selectorOf = ([name, labels]: Series) => {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return `${name}{${pairs.join(',')}}`;
  };
  const tests = ALERTS.flatMap((alert) => {
    const { name, severity, series, fired = series[0][1] } = alert;
    const { summary, ...others } = annotations(alert, runbooks);
    const expected = {
      exp_labels: { ...fired, severity },
      exp_annotations: { summary: rendered(summary, fired), ...others },
    };
    const test = (title: string, valuesOf: (each: Series) => string | null, alerts: object[]) => ({
      name: `${name} ${title}`,
      interval: '1m',
      input_series: series.flatMap((each) => {
        const values = valuesOf(each);
        return values === null ? [] : [{ series: selectorOf(each), values }];
      }),
      alert_rule_test: [{ eval_time: EVALUATED_AT, alertname: name, exp_alerts: alerts }],
    });
    return [test('fires', ([, , fires]) => fires, [expected]), test('does not fire', ([, , , quiet]) => quiet, [])];
  });
  return yaml({ rule_files: ['milepost.rules.yml'], evaluation_interval: '1m', tests });
}

function dashboard({ id, title, panels }: Dashboard): string {
  const datasource = { type: 'prometheus', uid: '$datasource' };
  const { width, height, columns } = PANEL;
  const content = {
    uid: id,
    title,
    tags: ['milepost'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map((panel, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panel.title,
      datasource,
      gridPos: { x: (index % columns) * width, y: Math.floor(index / columns) * height, w: width, h: height },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      targets: panel.queries.map(([expression, legend], query) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + query),
        datasource,
        expr: expression,
        legendFormat: legend,
      })),
    })),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Returns the content of each file, by its path in this folder.
 *
 * @param runbooks the URL of the runbooks folder
 */
export function monitoringFiles(runbooks = 'docs/runbooks'): Record<string, string> {
  return {
    'prometheus/milepost.rules.yml': rules(runbooks),
    'prometheus/milepost.rules.test.yml': ruleTests(runbooks),
    ...Object.fromEntries(DASHBOARDS.map((each) => [`grafana/${each.id}.json`, dashboard(each)])),
  };
}
