import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Setup of integration tests: argon2 with the least memory that it takes. There are hundreds of sign-ins, and each would cost 0.1 s. The
 * real cost is tested in services/key-service/tests/password.test.ts; services in processes of their own keep it.
 */
const { argon2 } = crypto;
// Test files share a process.
if (argon2.name !== 'cheapArgon2') {
  const cheapArgon2: typeof argon2 = (algorithm, parameters, callback) => {
    argon2(algorithm, { ...parameters, memory: 8 * parameters.parallelism }, callback);
  };
  Object.assign(crypto, { argon2: cheapArgon2 });
  syncBuiltinESMExports();
}
