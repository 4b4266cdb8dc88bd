import { BANNED_TERMS } from './banned-terms.js';

const TERMS = BANNED_TERMS.map(([term, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${term.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
}));

const meta = { type: 'suggestion', schema: [] };

/** Reports banned terms in Markdown outside of code, and in strings and JSX of TypeScript that are sentences. */
export const bannedTerms = {
  meta,
  create(context) {
    return {
      text: (node) => check(context, node, node.value),
      image: (node) => check(context, node, node.alt ?? ''),
      Literal(node) {
        const isText = node.parent.type === 'JSXAttribute' || String(node.value).includes(' ');
        if (typeof node.value === 'string' && isText) check(context, node, node.value);
      },
      JSXText: (node) => check(context, node, node.value),
      TemplateElement: (node) => check(context, node, node.value.cooked ?? ''),
    };
  },
};

/** Reports banned terms in comments of TypeScript. */
export const bannedTermsInComments = {
  meta,
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) check(context, comment, comment.value);
    },
  }),
};

const TEST = /^(?:describe(?:Dashboard)?|it|requirement|test)\b/;

/** Reports banned terms in the titles of tests. */
export const bannedTermsInTitles = {
  meta,
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      if (!TEST.test(context.sourceCode.getText(callee))) return;
      for (const { type, value } of given)
        if (type === 'Literal' && String(value).includes(' ')) check(context, callee, value);
    },
  }),
};

/** The plugin of oxlint. */
export default {
  meta: { name: 'prose' },
  rules: {
    'banned-terms': bannedTerms,
    'banned-terms-in-comments': bannedTermsInComments,
    'banned-terms-in-titles': bannedTermsInTitles,
  },
};

function check(context, node, text) {
  for (const { pattern, instead } of TERMS)
    for (const [found] of text.matchAll(pattern))
      context.report({ node, message: `"${found}" is a banned term. Write instead: ${instead}.` });
}
