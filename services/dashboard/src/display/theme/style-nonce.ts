/** The CSP nonce of this page, for style sheets that scripts add. Empty on the development server. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
