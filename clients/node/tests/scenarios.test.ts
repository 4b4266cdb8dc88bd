import { join } from 'node:path';
import { describeScenarios } from '@cellarman/client-conformance';

describeScenarios('the Node client', [process.execPath, join(import.meta.dirname, 'driver.ts')]);
