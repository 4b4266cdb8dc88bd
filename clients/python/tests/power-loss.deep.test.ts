import { testModule } from './python.ts';

testModule('test_power_loss');
