export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export interface SendOptions {
  file?: string;
  format?: Format;
  cellar?: string;
  inFlight: string;
  giveUpAfter: string;
  json?: true;
}
