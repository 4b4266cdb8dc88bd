/**
 * Something that the person at the keyboard can put right. The message is one line that says what is wrong and
 * what to do; commands print it without a stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
