/** Reads a text file line by line as Markdown, so that comments and indented values of YAML are paragraphs. */
export const plainText = {
  preprocess: (text) => [{ text: text.replace(/^[ \t]*(#[ #]*)?/gm, ''), filename: 'text.md' }],
  postprocess: (messages) => messages.flat(),
};
