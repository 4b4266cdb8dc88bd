/** The prose linter: `npx -y pnpm@12 check:prose`. The terms are in `tests/prose/banned-terms.js`. */
import markdown from '@eslint/markdown';
import tseslint from 'typescript-eslint';
import { bannedTerms, bannedTermsInComments } from './tests/prose/banned-terms-rule.js';
import { plainText } from './tests/prose/plain-text.js';

const prose = {
  rules: { 'banned-terms': bannedTerms, 'banned-terms-in-comments': bannedTermsInComments },
  processors: { 'plain-text': plainText },
};
const rules = { 'prose/banned-terms': 'error' };

export default [
  {
    ignores: [
      '**/node_modules/',
      '.local/',
      '**/dist/',
      // Generated from the titles of tests.
      'docs/spec-coverage.md',
      'services/dashboard/src/api/generated/',
    ],
  },
  { files: ['**/*.md'], plugins: { markdown, prose }, language: 'markdown/gfm', rules },
  {
    // Comments, descriptions and annotations of the chart.
    files: ['deploy/**/NOTES.txt', 'deploy/**/values.yaml', 'deploy/**/alerts.yaml'],
    plugins: { prose },
    processor: 'prose/plain-text',
  },
  {
    // Comments.
    files: ['**/*.{ts,tsx}'],
    plugins: { prose },
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: { 'prose/banned-terms-in-comments': 'error' },
  },
  {
    // Strings that users read: the error catalogue, descriptions of settings, help and messages of the commands, the dashboard.
    files: [
      'libs/contracts/src/errors.ts',
      'services/*/src/config.ts',
      'services/dashboard/src/**/*.{ts,tsx}',
      'tools/{cellarman,simulator,verifier}/src/**/*.ts',
    ],
    plugins: { prose },
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules,
  },
];
