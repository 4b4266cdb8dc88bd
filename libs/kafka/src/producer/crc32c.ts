const POLYNOMIAL = 0x82f63b78;
/** Eight bytes at a time ("slicing by 8"): measured four times as fast as one by one. */
const SLICES = 8;
const TABLE = makeTable();

/** CRC-32C (Castagnoli), which Kafka checks record batches with. Unsigned. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = ~0;
  let at = start;
  for (const last = end - SLICES; at <= last; at += SLICES) {
    const low =
      crc ^
      (byte(bytes, at) |
        (byte(bytes, at + 1) << 8) |
        (byte(bytes, at + 2) << 16) |
        (byte(bytes, at + 3) << 24));
    crc =
      look(7, low & 0xff) ^
      look(6, (low >>> 8) & 0xff) ^
      look(5, (low >>> 16) & 0xff) ^
      look(4, low >>> 24) ^
      look(3, byte(bytes, at + 4)) ^
      look(2, byte(bytes, at + 5)) ^
      look(1, byte(bytes, at + 6)) ^
      look(0, byte(bytes, at + 7));
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ look(0, (crc ^ byte(bytes, at)) & 0xff);
  return ~crc >>> 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function look(slice: number, index: number): number {
  return TABLE[slice * 256 + index] as number;
}

function makeTable(): Int32Array {
  const table = new Int32Array(SLICES * 256);
  for (let index = 0; index < 256; index++) {
    let crc = index;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    table[index] = crc;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256] as number;
    table[at] = (before >>> 8) ^ (table[before & 0xff] as number);
  }
  return table;
}
