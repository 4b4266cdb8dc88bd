import { describeScenarios } from '../../conformance/tests/index.ts';
import { driver, hasZstd } from './python.ts';

if (driver !== undefined)
  describeScenarios('the Python client', driver, { without: hasZstd ? [] : ['zstd'] });
