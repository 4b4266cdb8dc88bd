/** In days. A test holds it equal to what the services allow. */
export const RETENTION = { minimum: 1, maximum: 3650, default: 90 } as const;
