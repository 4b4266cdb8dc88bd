import { BANNED_TERMS } from './banned-terms.js';

const TERMS = BANNED_TERMS.map(([term, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${term.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
}));

/** Reports banned terms in Markdown outside of code, and in strings and JSX of TypeScript that are sentences. */
export const bannedTerms = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const check = (node, text) => {
      for (const { pattern, instead } of TERMS)
        for (const [found] of text.matchAll(pattern))
          context.report({ node, message: `"${found}" is a banned term. Write instead: ${instead}.` });
    };
    return {
      text: (node) => check(node, node.value),
      image: (node) => check(node, node.alt ?? ''),
      Literal(node) {
        const isText = node.parent.type === 'JSXAttribute' || String(node.value).includes(' ');
        if (typeof node.value === 'string' && isText) check(node, node.value);
      },
      JSXText: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};
