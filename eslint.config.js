import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const CONFIG_FILES = [
  '**/src/**/config.ts',
  'bench/**/config.ts',
  '**/vitest.config.ts',
  'tests/**',
  '**/tests/**',
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '.local/',
      'docs/',
      '**/*.cjs',
      // Run as they are, without types: in the chart's test and in the image.
      'deploy/**/*.mjs',
      'services/dashboard/dist*/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Numbers and booleans in log lines and messages are wanted.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // Configuration is read and checked in one place per process, so that an operator finds it.
    files: ['**/*.ts'],
    ignores: CONFIG_FILES,
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in config.ts only.' },
      ],
    },
  },
  {
    // kafkajs stays behind the port of libs/kafka, so that another client can take its place.
    files: ['**/*.ts'],
    ignores: ['libs/kafka/**', 'bench/baselines/**'],
    rules: {
      'no-restricted-imports': ['error', { paths: [{ name: 'kafkajs', message: 'Use @cellarman/kafka.' }] }],
    },
  },
  {
    files: ['services/dashboard/src/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat['recommended-latest'],
  },
  {
    files: ['services/dashboard/src/**/*.{ts,tsx}'],
    rules: {
      // About functions that a compiler would memoize; there is none.
      'react-hooks/incompatible-library': 'off',
      // The router leads elsewhere by throwing a redirect.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
