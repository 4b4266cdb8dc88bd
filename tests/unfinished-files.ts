/* eslint-disable no-console -- a reporter writes to the terminal */
import type { Reporter, TestModule } from 'vitest/node';

const QUIET_MINUTES = 10;

/** Logs which test files are still running when none has ended for a while, so that a hanging run shows where. */
export default class UnfinishedFiles implements Reporter {
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  onTestModuleStart(module: TestModule): void {
    this.running.add(module.relativeModuleId);
    this.watch();
  }

  onTestModuleEnd(module: TestModule): void {
    this.running.delete(module.relativeModuleId);
    this.watch();
  }

  onTestRunEnd(): void {
    clearInterval(this.timer);
  }

  private watch(): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      console.log(
        `No test file has ended for ${QUIET_MINUTES} minutes. Running: ${[...this.running].join(', ')}`,
      );
    }, QUIET_MINUTES * 60_000);
    this.timer.unref();
  }
}
