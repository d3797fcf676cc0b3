import { Counter, Gauge, type Registry } from 'prom-client';

/** A value and its label values. */
export type Sample = readonly [value: number, labels?: Readonly<Record<string, string | number>>];

interface Description {
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** Adds a gauge that is read on each scrape. Series that are not read again disappear. */
export function readGauge(
  registry: Registry,
  description: Description,
  read: () => Iterable<Sample> | Promise<Iterable<Sample>>,
): void {
  new Gauge({
    labelNames: [],
    ...description,
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      for (const [value, labels = {}] of samples) this.set(labels, value);
    },
  });
}

/** Adds a counter whose value the caller keeps, so that counting costs only one addition. */
export function readCounter(registry: Registry, description: Description, read: () => number): void {
  new Counter({
    ...description,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
