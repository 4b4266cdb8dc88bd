import { testModule } from './python.ts';

testModule('test_client');
