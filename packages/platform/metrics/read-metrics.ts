import { Gauge, type Registry } from 'prom-client';

/** A value and its label values. */
export type Sample = readonly [value: number, labels?: Readonly<Record<string, string | number>>];

interface Description {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** Returns the current samples. Series that are not returned again disappear. */
  read: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** Adds a gauge that is read on each scrape. */
export function readGauge(registry: Registry, { read, ...description }: Description): void {
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
