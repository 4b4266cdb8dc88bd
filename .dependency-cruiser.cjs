/** Architecture rules that a reader can rely on. */
module.exports = {
  forbidden: [
    {
      name: 'services-never-import-services',
      comment: 'Services talk over HTTP and Kafka; shapes live in libs/contracts.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/(?!$1/)' },
    },
    {
      name: 'libs-never-import-services',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|tools|tests|bench)/' },
    },
    {
      name: 'kafkajs-only-in-libs-kafka',
      comment: 'Another client must be able to take its place behind the port.',
      severity: 'error',
      from: { pathNot: '^(libs/kafka|bench/baselines)/' },
      to: { path: 'kafkajs' },
    },
    {
      name: 'local-stack-is-for-development',
      severity: 'error',
      from: { path: '^(services|libs|tools)/[^/]+/src/', pathNot: '^libs/local-stack/' },
      to: { path: '^libs/local-stack/' },
    },
    {
      name: 'no-test-code-in-products',
      severity: 'error',
      from: { path: '/src/' },
      to: { path: '/tests/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)node_modules/|^services/dashboard/dist|^clients/[^/]+/dist' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
    },
  },
};
