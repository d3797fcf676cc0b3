/** Test series, each with its values in promtool's notation, where `0x10` is 0 followed by ten more zeros. */
type Series = Readonly<Record<string, string>>;

/** An alert, with the series for its unit tests. The page `docs/runbooks/<page>.md` says what to do. */
export interface Alert {
  name: string;
  page: string;
  /** `page`: someone must act now. `ticket`: someone must act within days. */
  severity: 'page' | 'ticket';
  expression: string;
  /** How long the expression must be true before the alert fires. */
  minutes: number;
  /** One sentence, which may contain `{{ $labels.name }}`. */
  summary: string;
  /** Series that make the alert fire after an hour and a half, and the labels of the firing alert. */
  fires: { series: Series; labels: Readonly<Record<string, string>> };
  /** Series that do not make the alert fire. */
  quiet: Series;
}
