import { Gauge, type Registry } from 'prom-client';

/** Figures and the values of their labels, by name. */
type Rows<Figure extends string, Label extends string> = readonly Readonly<
  Record<NoInfer<Figure>, number | null> & Record<NoInfer<Label>, string | number | null>
>[];
type AnyRows = readonly Readonly<Record<string, string | number | null>>[];

/**
 * Adds a gauge for each figure in `help`, with one series per row that has the figure. A null label is shown as empty.
 *
 * @param rows the rows, or a function that returns the current rows, which each scrape calls once
 * @param help the help text of each gauge, by the name of its figure, which follows the prefix in the gauge's name
 */
export function addGauges<Figure extends string, Label extends string = never>(
  registry: Registry,
  prefix: string,
  labelNames: readonly Label[],
  rows: Rows<Figure, Label> | (() => Rows<Figure, Label> | Promise<Rows<Figure, Label>>),
  help: Readonly<Record<Figure, string>>,
): void;
export function addGauges(
  registry: Registry,
  prefix: string,
  labelNames: readonly string[],
  rows: AnyRows | (() => AnyRows | Promise<AnyRows>),
  help: Readonly<Record<string, string>>,
): void {
  let current: AnyRows | Promise<AnyRows> = [];
  for (const [index, [figure, text]] of Object.entries(help).entries()) {
    new Gauge({
      name: `${prefix}${figure}`,
      help: text,
      labelNames,
      registers: [registry],
      async collect() {
        // A scrape reads the gauges in the order in which they were added, so all of them show the same rows.
        if (index === 0) current = typeof rows === 'function' ? rows() : rows;
        const read = await current;
        this.reset();
        for (const row of read) {
          const labels = Object.fromEntries(labelNames.map((name) => [name, row[name] ?? '']));
          const value = row[figure];
          if (typeof value === 'number') this.set(labels, value);
        }
      },
    });
  }
}
