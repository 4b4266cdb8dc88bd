const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The fields of a protobuf message that hold bytes, texts or messages, by their numbers. Numbers are skipped. */
export function fields(message: Buffer): { one(number: number): Buffer; all(number: number): Buffer[] } {
  const found = new Map<number, Buffer[]>();
  let at = 0;

  function varint(): number {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  }

  while (at < message.length) {
    const tag = varint();
    switch (tag & 7) {
      case VARINT:
        varint();
        break;
      case FIXED64:
        at += 8;
        break;
      case FIXED32:
        at += 4;
        break;
      case BYTES: {
        const length = varint();
        const values = found.get(tag >>> 3) ?? [];
        values.push(message.subarray(at, at + length));
        found.set(tag >>> 3, values);
        at += length;
        break;
      }
      default:
        throw new Error(`this is no protobuf: wire type ${tag & 7} at ${at}`);
    }
  }
  return {
    one: (number) => found.get(number)?.at(-1) ?? Buffer.alloc(0),
    all: (number) => found.get(number) ?? [],
  };
}
