/** What a colour and its icon mean. */
export type StatusKind = 'ok' | 'warn' | 'bad' | 'idle';
