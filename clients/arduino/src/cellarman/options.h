#pragma once
#include <stddef.h>
#include <stdint.h>

namespace cellarman {

enum class PutResult : uint8_t {
  /** The reading is on flash: it survives a power loss. */
  stored,
  /** The reading is in RAM: `flushAfterMs` is not 0, or the flash could not be written. */
  queued,
  /** The spool is full and `dropOldest` is false. The reading is not kept. */
  full,
  /** The value is NaN, infinite or not exact, or the keg is empty or too long. The reading is not kept. */
  invalid,
};

enum class State : uint8_t {
  idle,
  /** Readings wait, and are sent by a later loop(). */
  waiting,
  /** ingest rejects all requests (401, 403, 404 …), or the options are not valid: see lastError. Readings are kept. */
  blocked,
};

struct Options {
  /** Base URL of ingest. */
  const char* url = nullptr;
  const char* apiKey = nullptr;
  /** Instead of apiKey: the client claims a key for this rack, and keeps it on flash. Start Wi-Fi first: it feeds the random numbers. */
  const char* claimCode = nullptr;
  /** Base URL of key-service, for the claim. By default it is `url`. */
  const char* claimUrl = nullptr;
  const char* cellar = nullptr;
  const char* rack = nullptr;
  /** PEM of the server's CA. Required for https. */
  const char* caCertificate = nullptr;
  /** For a test in a trusted network: everyone in it can read the API key. */
  bool allowPlainHttp = false;

  const char* directory = "/cellarman";
  /** Bound of the spool on flash. Leave a quarter of the partition free for LittleFS and rejected readings. */
  size_t spoolBytes = 512 * 1024;
  /** When the spool is full: delete the oldest segment, instead of rejecting new readings. */
  bool dropOldest = false;
  /** Readings that are sent or dropped together; at most 16 KiB. Each request needs this much RAM. */
  size_t segmentBytes = 8 * 1024;
  /** Readings in RAM, for flushAfterMs and for when the flash fails. */
  size_t bufferBytes = 4 * 1024;
  /** 0: put() returns when the reading is on flash. Else: readings that are not sent after this time go to flash. */
  uint32_t flushAfterMs = 0;

  uint16_t batchReadings = 50;
  /** Shortest time between two batches that are not full. */
  uint32_t lingerMs = 1000;
  uint16_t timeoutMs = 15000;
  uint32_t retryMinMs = 1000;
  uint32_t retryMaxMs = 60000;
  uint32_t blockedMs = 60000;
  /** Gets what a person should know: rejected and dropped readings, a blocked key, a failing flash. */
  void (*onAlarm)(const char* code, const char* message) = nullptr;
};

struct Status {
  State state;
  /** Readings that wait in RAM and on flash. */
  uint32_t waiting;
  uint32_t spoolBytes;
  /** Since the start of the device. */
  uint32_t sent;
  uint32_t rejected;
  uint32_t dropped;
  uint32_t overflowed;
  /** Damaged places in the spool: torn writes, worn-out flash. */
  uint32_t damaged;
  int lastHttpStatus;
  const char* lastError;
};

}  // namespace cellarman
