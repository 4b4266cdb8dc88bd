export interface Requirement {
  /** Where it is said. */
  section: string;
  /**
   * `said`: the specification says it. `choice`: it leaves it open, and this is what Cellarman does. `dashboard`: it
   * speaks of the dashboard, and is tested on the management API, from which a dashboard has all that it shows.
   */
  kind: 'said' | 'choice' | 'dashboard';
  text: string;
}

export function said(section: string, text: string): Requirement {
  return { section, kind: 'said', text };
}

export function choice(section: string, text: string): Requirement {
  return { section, kind: 'choice', text };
}

export function dashboard(section: string, text: string): Requirement {
  return { section, kind: 'dashboard', text };
}
