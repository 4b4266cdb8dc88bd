import { ApiError } from '@cellarman/http-api';

/**
 * Returns the URL as it is requested. Its host is checked when it is resolved, for every delivery.
 *
 * @throws {ApiError} `invalid_request`, without the URL: with many providers it is a secret
 */
export function readWebhookUrl(text: string): string {
  if (!URL.canParse(text)) throw new ApiError('invalid_request', 'body/url must be a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ApiError('invalid_request', 'body/url must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ApiError('invalid_request', 'body/url must not contain a user name or password');
  }
  url.hash = '';
  return url.href;
}
