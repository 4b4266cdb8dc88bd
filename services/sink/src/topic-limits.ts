/** The largest batch of records that the topic of the readings takes, and so the largest message. */
export const READINGS_MAX_BYTES = 1024 * 1024;
/** A dead letter is the message and says why in its headers. */
export const DEAD_LETTER_MAX_BYTES = READINGS_MAX_BYTES + 64 * 1024;
