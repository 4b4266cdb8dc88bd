/**
 * Terms that have no place in prose, and what to write instead. Each is a regular expression that matches whole words in any
 * case; a space matches any whitespace.
 */
export const BANNED_TERMS = [
  ['(?<!connections? |connection is )refus(e|es|ed|ing|al|als)', 'reject, rejected, rejection'],
  ['look-ups?', 'lookup'],
  ['whoever|whom', 'a client that, users who, callers'],
  ['(hold|holds|held|holding) against', 'compare with, check against'],
  ['(so|that) many', 'N, up to N'],
  ['mend(s|ed|ing)?', 'fix'],
  ['anew|once more', 'again, recreate, re-run'],
  ['by chance', 'random, jittered'],
  ['odd(ity|ities|ly)?', 'ambiguous, malformed'],
  ['tell|tells|told|telling', 'log, report, return, state'],
  ['(by|in) turns?|takes? turns', 'alternating, round-robin'],
  ['lets? go of|gives? back|given back', 'release, remove, drop'],
  ['overtak(e|es|en|ing)|overtook', 'supersede'],
  ['departs?|departed', 'send'],
  ['administrators?', 'user, owner'],
  ['doubled', 'duplicated'],
  ['(is|are|was|were) over(?! \\d)', 'has ended, completed'],
  ['at once', 'immediately, at a time, concurrently'],
  ['ask(s|ed|ing)?|questions?', 'request, query'],
  ['answer(s|ed|ing)?', 'response, respond, return'],
  ['(?<!pnpm@12 )faults?(?! (injection|tolerance|round))', 'error, failure, bug'],
  ['(?<!(ip|email) )address(es)?', 'URL, path, endpoint, IP address, email address, host:port'],
  ['news', 'first occurrence, update'],
  ['judges?|judged|judging', 'validate, authorize, check'],
  ['somebody|anybody', 'a user, a client'],
];
