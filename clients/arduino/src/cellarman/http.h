#pragma once
#include <HTTPClient.h>
#include <WiFiClient.h>
#include <WiFiClientSecure.h>

#include <memory>
#include <string>

#include "options.h"

namespace cellarman {

/** Collects a response body up to a limit. */
class BodySink : public Stream {
 public:
  explicit BodySink(size_t limit) : isTooLarge(false), limit_(limit) {}
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* data, size_t size) override {
    if (body.size() + size > limit_) isTooLarge = true;
    else body.append(reinterpret_cast<const char*>(data), size);
    return size;
  }
  int available() override { return 0; }
  int read() override { return -1; }
  int peek() override { return -1; }
  void flush() override {}

  std::string body;
  bool isTooLarge;

 private:
  size_t limit_;
};

struct HttpResponse {
  int status;  // negative: no response
  long retryAfterSeconds;  // -1: none
  bool isTooLarge;
  std::string body;
};

/** Posts to one path over one connection that is kept open. */
class Http {
 public:
  /** Returns false if the URL is not one that may be used. Without a CA, an ESP32 would send the key to any server. */
  bool begin(const char* url, const char* path, const Options& options) {
    url_ = url == nullptr ? "" : url;
    while (!url_.empty() && url_[url_.size() - 1] == '/') url_.resize(url_.size() - 1);
    url_ += path;
    const bool isSecure = url_.compare(0, 8, "https://") == 0;
    const bool isPlain = url_.compare(0, 7, "http://") == 0;
    if (isSecure ? options.caCertificate == nullptr : !options.allowPlainHttp || !isPlain) return false;
    if (isSecure) {
      WiFiClientSecure* secure = new WiFiClientSecure();
      secure->setCACert(options.caCertificate);
      connection_.reset(secure);
    } else {
      connection_.reset(new WiFiClient());
    }
    http_.setReuse(true);
    http_.setTimeout(options.timeoutMs);
    http_.setUserAgent("cellarman-arduino/0.1.0");
    return true;
  }

  /** @param apiKey empty for a request without one */
  HttpResponse post(std::string& body, const char* contentType, const std::string& apiKey, size_t bodyLimit) {
    HttpResponse response = {-1, -1, false, ""};
    if (!connection_ || !http_.begin(*connection_, url_.c_str())) return response;
    static const char* HEADERS[] = {"Retry-After"};
    http_.collectHeaders(HEADERS, 1);
    http_.addHeader("Content-Type", contentType);
    if (!apiKey.empty()) http_.addHeader("X-API-Key", apiKey.c_str());
    response.status = http_.POST(reinterpret_cast<uint8_t*>(&body[0]), body.size());
    if (response.status > 0) {
      const String after = http_.header("Retry-After");
      char* end = nullptr;
      const long seconds = strtol(after.c_str(), &end, 10);
      if (end != after.c_str() && *end == 0 && seconds >= 0) response.retryAfterSeconds = seconds;
      BodySink sink(bodyLimit);
      // A body that was cut off is no response.
      if (http_.writeToStream(&sink) < 0) response.status = -1;
      response.isTooLarge = sink.isTooLarge;
      response.body.swap(sink.body);
    }
    http_.end();
    return response;
  }

 private:
  std::string url_;
  std::unique_ptr<WiFiClient> connection_;
  HTTPClient http_;
};

}  // namespace cellarman
