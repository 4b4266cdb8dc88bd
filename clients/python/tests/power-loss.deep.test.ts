import { testModule } from './test-module.ts';

testModule('test_power_loss');
