/** As much as a machine with two cores carries besides the engines and the services. */
export const LOAD = { clients: 16, rate: 5_000, batch: 100 };
