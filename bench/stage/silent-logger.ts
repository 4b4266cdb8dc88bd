/** The table is what a bench prints. */
export const silentLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
