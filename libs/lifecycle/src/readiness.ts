export interface PartReport {
  ready: boolean;
  /** Why it is not ready, for the person who is paged. */
  reason?: string;
}

export interface ReadinessReport {
  ready: boolean;
  parts: Record<string, PartReport>;
}

export interface ReadinessOptions {
  /** Parts that must report before the process is ready; until then they read "starting". */
  parts?: readonly string[];
  /** Called when a part changes, so that a service logs it once and not on every probe. */
  onChange?: (part: string, report: PartReport) => void;
}

/** Whether the process can take traffic, part by part. It is ready when every part is. */
export interface Readiness {
  set(part: string, ready: boolean, reason?: string): void;
  isReady(): boolean;
  report(): ReadinessReport;
}

export function createReadiness(options: ReadinessOptions = {}): Readiness {
  const parts = new Map<string, PartReport>();
  for (const part of options.parts ?? []) parts.set(part, { ready: false, reason: 'starting' });

  const isReady = () => [...parts.values()].every((part) => part.ready);

  return {
    set(part, ready, reason) {
      const before = parts.get(part);
      const report: PartReport = reason === undefined || ready ? { ready } : { ready, reason };
      if (before?.ready === report.ready && before.reason === report.reason) return;
      parts.set(part, report);
      options.onChange?.(part, report);
    },
    isReady,
    report: () => ({ ready: isReady(), parts: Object.fromEntries(parts) }),
  };
}
