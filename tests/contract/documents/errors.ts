import { AUTHENTICATION_ERRORS, ERROR_CATALOGUE, ERROR_CODES } from '@cellarman/contracts';

/** `docs/errors.md` */
export function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning, retryable } = ERROR_CATALOGUE[code];
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${meaning} |`;
  });
  return `# Errors

> Generated from \`libs/contracts/src/errors.ts\`. Change it there and run \`pnpm generate\`.

Every error response has this body. \`code\` is stable; the text of \`error\` may change:

\`\`\`json
{ "status": "error", "error": "\\"value\\" must be a number, not a string", "code": "invalid_reading" }
\`\`\`

| code | HTTP status | retryable | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

## Missing, invalid or expired API key

\`POST /api/v1/ingest\` responds with 401 and a different body:

\`\`\`json
{ "error": "${AUTHENTICATION_ERRORS.invalid}", "status": 401 }
\`\`\`

| condition | error |
| --- | --- |
| The header \`X-API-Key\` is missing or empty | ${AUTHENTICATION_ERRORS.absent} |
| The key is unknown or revoked | ${AUTHENTICATION_ERRORS.invalid} |
| The key has expired | ${AUTHENTICATION_ERRORS.expired} |
`;
}
