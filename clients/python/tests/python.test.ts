import { testModule } from './test-module.ts';

testModule('test_client');
