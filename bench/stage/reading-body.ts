/** The body of a request with one reading. */
export function readingBody(cellar: string, rack: string, value: number): string {
  const timestamp = new Date().toISOString();
  return `{"cellar":"${cellar}","rack":"${rack}","keg":"temperature","value":${value},"timestamp":"${timestamp}"}`;
}
