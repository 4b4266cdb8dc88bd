/**
 * The prose linter of documents: `npx -y pnpm@12 check:prose`. The terms are in `tests/prose/banned-terms.js`. In TypeScript, oxlint
 * runs the same rules, which is ten times as fast.
 */
import markdown from '@eslint/markdown';
import { bannedTerms } from './tests/prose/banned-terms-rule.js';
import { plainText } from './tests/prose/plain-text.js';

const prose = {
  rules: { 'banned-terms': bannedTerms },
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
    ],
  },
  { files: ['**/*.md'], plugins: { markdown, prose }, language: 'markdown/gfm', rules },
  {
    // Comments, descriptions and annotations of the chart.
    files: ['deploy/**/NOTES.txt', 'deploy/**/values.yaml', 'deploy/**/alerts.yaml'],
    plugins: { prose },
    processor: 'prose/plain-text',
  },
];
