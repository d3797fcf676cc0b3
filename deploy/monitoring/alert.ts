/** Series of a test, each with its values in the notation of promtool: `0x10` is 0, ten times again. */
type Series = Readonly<Record<string, string>>;

/** An alert, with the series of its unit tests. The page `docs/runbooks/<page>.md` says what to do. */
export interface Alert {
  name: string;
  page: string;
  /** `page`: someone must act now. `ticket`: someone must act within days. */
  severity: 'page' | 'ticket';
  expression: string;
  /** How long the expression holds before the alert fires. */
  minutes: number;
  /** One sentence, which may contain `{{ $labels.name }}`. */
  summary: string;
  /** Series with which the alert fires after an hour and a half, and the labels that it then has. */
  fires: { series: Series; labels: Readonly<Record<string, string>> };
  /** Series with which it does not fire. */
  quiet: Series;
}
