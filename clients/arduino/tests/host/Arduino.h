// What the library uses of the ESP32 core, for a test on this machine. Signatures as in arduino-esp32.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <random>
#include <string>

typedef bool boolean;

namespace host {
/** Microseconds that the test has moved the clocks, and the Unix time at the start of the device. */
struct Clocks {
  int64_t moved = 0;
  int64_t unixAtStart = 0;
};
inline Clocks& clocks() {
  static Clocks instance;
  return instance;
}
inline int64_t monotonicMicros() {
  static const auto read = [] {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<int64_t>(now.tv_sec) * 1000000 + now.tv_nsec / 1000;
  };
  static const int64_t start = read();
  return read() - start + clocks().moved;
}
inline int readUnixTime(struct timeval* result, void*) {
  const int64_t micros = clocks().unixAtStart + monotonicMicros();
  result->tv_sec = micros / 1000000;
  result->tv_usec = micros % 1000000;
  return 0;
}
}  // namespace host
#define gettimeofday host::readUnixTime

inline long random(long limit) {
  static std::mt19937 generator(std::random_device{}());
  return limit <= 0 ? 0 : static_cast<long>(generator() % static_cast<unsigned long>(limit));
}

class String {
 public:
  String(const char* text = "") : text_(text) {}
  const char* c_str() const { return text_.c_str(); }

 private:
  std::string text_;
};

class Print {
 public:
  virtual ~Print() {}
  virtual size_t write(uint8_t) = 0;
  virtual size_t write(const uint8_t* data, size_t size) = 0;
  virtual void flush() {}
};

class Stream : public Print {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual int peek() = 0;
};
