// For the example sketch: compiled, not run.
#pragma once
#include <WiFiClient.h>
#define WL_CONNECTED 3
struct WiFiClass {
  void begin(const char*, const char*) {}
  void setAutoReconnect(bool) {}
};
static WiFiClass WiFi;
struct SerialClass {
  void begin(int) {}
  void printf(const char*, ...) {}
};
static SerialClass Serial;
inline void configTime(long, int, const char*) {}
inline unsigned long millis() { return static_cast<unsigned long>(host::monotonicMicros() / 1000); }
inline void delay(unsigned long) {}
inline int analogReadMilliVolts(int) { return 0; }
