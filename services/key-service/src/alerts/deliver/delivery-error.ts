/** Why an attempt failed, in words that people may see: nothing in them comes from the receiver but its status. */
export class DeliveryError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeliveryError';
  }
}
