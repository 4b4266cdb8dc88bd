#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <vector>

namespace cellarman {

typedef std::vector<uint8_t> Bytes;

/**
 * One record of the spool, little-endian: magic (1 byte), type (1), length of the payload (2), CRC-32 of type, length and
 * payload (4), payload. Payload: boot (4), microseconds (8), length of the keg (2), keg, value.
 */
enum RecordType : uint8_t {
  /** A reading with its time in Unix microseconds. */
  RECORD_READING = 'R',
  /** A reading taken before the clock was set: microseconds since the start of `boot`. */
  RECORD_UNDATED = 'U',
  /** Unix microseconds at the start of `boot`. */
  RECORD_CLOCK = 'C',
};

struct Record {
  uint8_t type;
  uint32_t boot;
  int64_t micros;
  const char* keg;  // not terminated: points into the bytes that were parsed
  size_t kegLength;
  const char* value;
  size_t valueLength;
};

const uint8_t RECORD_MAGIC = 0xC3;
const size_t RECORD_HEADER = 8;
const size_t RECORD_FIXED = 14;

inline uint32_t crc32(uint32_t crc, const uint8_t* data, size_t size) {
  crc = ~crc;
  while (size-- > 0) {
    crc ^= *data++;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

inline void putLittleEndian(Bytes& out, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) out.push_back(static_cast<uint8_t>(number >> (8 * i)));
}

inline uint64_t getLittleEndian(const uint8_t* data, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= static_cast<uint64_t>(data[i]) << (8 * i);
  return number;
}

inline size_t recordSize(const Record& record) {
  return RECORD_HEADER + RECORD_FIXED + record.kegLength + record.valueLength;
}

/** Appends a record to `out`. */
inline void encodeRecord(Bytes& out, const Record& record) {
  const size_t start = out.size();
  out.push_back(RECORD_MAGIC);
  out.push_back(record.type);
  putLittleEndian(out, recordSize(record) - RECORD_HEADER, 2);
  putLittleEndian(out, 0, 4);
  putLittleEndian(out, record.boot, 4);
  putLittleEndian(out, static_cast<uint64_t>(record.micros), 8);
  putLittleEndian(out, record.kegLength, 2);
  out.insert(out.end(), record.keg, record.keg + record.kegLength);
  out.insert(out.end(), record.value, record.value + record.valueLength);
  uint32_t crc = crc32(0, &out[start + 1], 3);
  crc = crc32(crc, &out[start + RECORD_HEADER], out.size() - start - RECORD_HEADER);
  for (int i = 0; i < 4; i++) out[start + 4 + i] = static_cast<uint8_t>(crc >> (8 * i));
}

/** Returns the size of the valid record at `data`, or 0 if there is none. */
inline size_t parseRecord(const uint8_t* data, size_t size, Record& record) {
  if (size < RECORD_HEADER + RECORD_FIXED || data[0] != RECORD_MAGIC) return 0;
  const size_t payload = static_cast<size_t>(getLittleEndian(data + 2, 2));
  if (payload < RECORD_FIXED || payload > size - RECORD_HEADER) return 0;
  uint32_t crc = crc32(0, data + 1, 3);
  crc = crc32(crc, data + RECORD_HEADER, payload);
  if (crc != static_cast<uint32_t>(getLittleEndian(data + 4, 4))) return 0;
  const uint8_t* fields = data + RECORD_HEADER;
  record.type = data[1];
  record.boot = static_cast<uint32_t>(getLittleEndian(fields, 4));
  record.micros = static_cast<int64_t>(getLittleEndian(fields + 4, 8));
  record.kegLength = static_cast<size_t>(getLittleEndian(fields + 12, 2));
  if (record.kegLength > payload - RECORD_FIXED) return 0;
  record.keg = reinterpret_cast<const char*>(fields + RECORD_FIXED);
  record.value = record.keg + record.kegLength;
  record.valueLength = payload - RECORD_FIXED - record.kegLength;
  return RECORD_HEADER + payload;
}

/** Where the records of a segment are, and how many gaps a torn write or a worn-out flash block left between them. */
struct Scan {
  std::vector<uint32_t> offsets;
  uint32_t gaps;
};

/** Finds all valid records. After an invalid one, it goes on at the next byte that starts a valid one. */
inline Scan scanRecords(const Bytes& bytes) {
  Scan scan;
  scan.gaps = 0;
  bool inGap = false;
  size_t offset = 0;
  while (offset < bytes.size()) {
    Record record;
    const size_t size = parseRecord(&bytes[offset], bytes.size() - offset, record);
    if (size > 0) {
      scan.offsets.push_back(static_cast<uint32_t>(offset));
      offset += size;
      inGap = false;
    } else {
      if (!inGap) scan.gaps++;
      inGap = true;
      offset++;
    }
  }
  return scan;
}

}  // namespace cellarman
