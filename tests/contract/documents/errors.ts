import { AUTHENTICATION_ERRORS, ERROR_CATALOGUE, ERROR_CODES } from '@cellarman/contracts';

/** `docs/errors.md` */
export function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning, retryable } = ERROR_CATALOGUE[code];
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${meaning} |`;
  });
  return `# Errors

> Generated from \`libs/contracts/src/errors.ts\`. Change it there and run \`pnpm generate\`.

Each error answer has exactly this body; \`error\` is for people and may change, \`code\` is for programs and does not:

\`\`\`json
{ "status": "error", "error": "\\"value\\" must be a number", "code": "invalid_reading" }
\`\`\`

| code | HTTP status | worth sending again | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

## A missing, wrong or expired API key

\`POST /api/v1/ingest\` answers 401 with a body of its own:

\`\`\`json
{ "error": "${AUTHENTICATION_ERRORS.invalid}", "status": 401 }
\`\`\`

| condition | error |
| --- | --- |
| The header \`X-API-Key\` is missing or empty | ${AUTHENTICATION_ERRORS.absent} |
| The key is not known, or is revoked | ${AUTHENTICATION_ERRORS.invalid} |
| The key is past its expiry | ${AUTHENTICATION_ERRORS.expired} |
`;
}
