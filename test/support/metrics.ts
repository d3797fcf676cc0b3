import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import type { RunningProcess } from './processes.ts';

const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

type Labels = Readonly<Record<string, string | number>>;

function parse(line: string) {
  const { name = '', labels: list = '', value } = SAMPLE.exec(line)?.groups ?? {};
  const pairs = Array.from(list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, key = '', text = '']) => [key, text]);
  const labels: Record<string, string> = Object.fromEntries(pairs);
  return { name, labels, value: Number(value) };
}

/** Returns the metrics in the text of one scrape. */
export function parseMetrics(text: string) {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parse);
  /** Returns a metric's series that have these labels. */
  const series = (name: string, labels: Labels = {}) =>
    samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === String(value)),
    );
  /** Adds up a metric's series that have these labels. Returns undefined if there are none. */
  const sum = (name: string, labels?: Labels): number | undefined => {
    const found = series(name, labels);
    return found.length === 0 ? undefined : found.reduce((total, { value }) => total + value, 0);
  };
  /** Returns the complaints from `promtool check metrics`. The test needs `promtool`. */
  const complaints = (): string => {
    const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    if (error) throw error;
    return stdout + stderr;
  };
  return { text, samples, series, sum, complaints };
}

/** Reads the metrics at a URL. */
export async function scrape(url: string) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseMetrics(await answer.text());
}

async function loggedUrl(running: RunningProcess, field: RegExp): Promise<string> {
  const logged = () => field.exec(running.output())?.[1];
  await expect.poll(logged).toBeDefined();
  return logged() ?? '';
}

/** Resolves with the URL of a process's metrics once the process serves them. */
export async function metricsUrl(running: RunningProcess): Promise<string> {
  return await loggedUrl(running, /"metrics":"([^"]+)"/);
}

/** Resolves with the URL of a process's API once the process serves it. */
export async function addressOf(running: RunningProcess): Promise<string> {
  return await loggedUrl(running, /"address":"([^"]+)"/);
}
