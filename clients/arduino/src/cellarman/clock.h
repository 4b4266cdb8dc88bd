#pragma once
#include <Arduino.h>
#include <esp_timer.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#include <string>
#include <vector>

namespace cellarman {

struct Stamp {
  bool isUnix;
  int64_t micros;
};

/** Stamps readings, and knows when starts without a set clock began. */
class Clock {
 public:
  Clock() : last_(INT64_MIN), boot_(0) {}

  void begin(uint32_t boot) { boot_ = boot; }
  uint32_t boot() const { return boot_; }

  /** Microseconds since the start of the device. */
  static int64_t uptime() { return esp_timer_get_time(); }

  /** An ESP32 starts in 1970, until NTP or a real-time clock sets the time. */
  static bool isSet() { return unixMicros() >= EARLIEST; }

  static int64_t unixMicros() {
    struct timeval now;
    gettimeofday(&now, nullptr);
    return static_cast<int64_t>(now.tv_sec) * 1000000 + now.tv_usec;
  }

  /** Equal values in the same microsecond would be one reading, so stamps increase unless the clock was set back. */
  Stamp stamp() {
    Stamp stamp = {isSet(), isSet() ? unixMicros() : uptime()};
    if (stamp.micros <= last_ && last_ - stamp.micros < 1000000) stamp.micros = last_ + 1;
    last_ = stamp.micros;
    return stamp;
  }

  void learn(uint32_t boot, int64_t unixAtStart) { starts_.push_back(Start{boot, unixAtStart}); }

  /** Returns true and sets `unixAtStart` if it is known when a start of the device was. */
  bool startOf(uint32_t boot, int64_t& unixAtStart) const {
    for (const Start& start : starts_) {
      if (start.boot != boot) continue;
      unixAtStart = start.unixAtStart;
      return true;
    }
    return false;
  }

  /** `YYYY-MM-DDThh:mm:ss.ffffffZ` */
  static std::string format(int64_t unixMicros) {
    const time_t seconds = static_cast<time_t>(unixMicros / 1000000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    char date[24];
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    char text[40];
    snprintf(text, sizeof text, "%s.%06ldZ", date, static_cast<long>(unixMicros % 1000000));
    return text;
  }

 private:
  struct Start {
    uint32_t boot;
    int64_t unixAtStart;
  };
  /** 2025-01-01T00:00:00Z */
  static const int64_t EARLIEST = 1735689600LL * 1000000LL;
  int64_t last_;
  uint32_t boot_;
  std::vector<Start> starts_;
};

}  // namespace cellarman
