/** A dashboard of Grafana, as much of it as differs from one to the next. */
export interface Page {
  /** The name of its file, and the end of its address in Grafana. */
  name: string;
  title: string;
  description: string;
  rows: readonly Row[];
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

export interface Panel {
  title: string;
  /** What one sees here, and from when on it is bad. */
  description: string;
  /** By time, unless only the present counts. */
  kind?: 'now';
  /** A unit of Grafana. @default plain numbers */
  unit?: 's' | 'bytes' | 'reqps' | 'rowsps' | 'cps' | 'percentunit';
  /** Bad from here on: it turns red. */
  badFrom?: number;
  /** The parts make up a whole. */
  isStacked?: boolean;
  queries: readonly Query[];
}

export interface Query {
  /** PromQL. `$namespace` and `$__rate_interval` are filled in by Grafana. */
  expr: string;
  /** `{{label}}` stands for its value. */
  legend: string;
}
