/** The nonce of this page, with which its scripts may add style sheets. Empty on the development server. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
