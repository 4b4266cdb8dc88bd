/** In days. A test compares it with the limits of the services. */
export const RETENTION = { minimum: 1, maximum: 3650, default: 90 } as const;
