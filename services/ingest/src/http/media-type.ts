/**
 * The media type of a `Content-Type`, in lower case and without parameters; undefined where there is none, and for any
 * other character set than UTF-8: its bytes would be misread.
 */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';');
  const isUtf8 = parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    return name.trim() !== 'charset' || ['utf-8', '"utf-8"', 'utf8'].includes(value.trim());
  });
  return isUtf8 ? mediaType.trim() : undefined;
}
