#pragma once
#include "cellarman/api_key.h"
#include "cellarman/batch.h"
#include "cellarman/clock.h"
#include "cellarman/http.h"
#include "cellarman/options.h"
#include "cellarman/record.h"
#include "cellarman/response.h"
#include "cellarman/spool.h"
#include "cellarman/text.h"

namespace cellarman {

/**
 * Keeps the readings of one rack until ingest has stored them, and sends them in the order of put(). Call all functions from one
 * task; loop() blocks while a request is in flight, for at most `timeoutMs` for each step of it.
 */
class Client {
 public:
  /** Returns false if nothing can be sent: see status().lastError. Readings are kept all the same. */
  bool begin(fs::FS& fs, const Options& options) {
    options_ = options;
    status_ = Status();
    buffer_.reserve(options_.bufferBytes);
    buffered_ = 0;
    batch_.clear();
    limit_ = batchReadings();
    failures_ = 0;
    notBefore_ = 0;
    hasUndated_ = isStartStored_ = isBlocked_ = false;
    clock_ = Clock();
    status_.damaged = spool_.begin(fs, options_.directory, options_.spoolBytes, options_.segmentBytes, [&](const Record& record) {
      if (record.type == RECORD_CLOCK) clock_.learn(record.boot, record.micros);
    });
    clock_.begin(spool_.nextNumber());
    if (status_.damaged > 0) alarm("spool_damaged", "records on flash are damaged");
    canSend_ = options_.cellar != nullptr && options_.rack != nullptr && key_.begin(fs, options_) &&
               http_.begin(options_.url, "/api/v1/ingest/batch", options_);
    if (!canSend_) {
      isBlocked_ = true;
      alarm("invalid_options", "cellar, rack, apiKey or claimCode, and an https URL with caCertificate are required");
      return false;
    }
    prefix_ = "{\"cellar\":\"" + escapeJson(options_.cellar) + "\",\"rack\":\"" + escapeJson(options_.rack) + "\",\"keg\":\"";
    return true;
  }

  /** Keeps a reading with the current time. */
  template <class Number>
  PutResult put(const char* keg, Number number) {
    const std::string value = formatNumber(number);
    const std::string name = escapeJson(keg == nullptr ? "" : keg);
    if (value.empty() || name.empty() || name.size() > 1024) return PutResult::invalid;
    storeStart();
    const Stamp stamp = clock_.stamp();
    const Record record = {static_cast<uint8_t>(stamp.isUnix ? RECORD_READING : RECORD_UNDATED),
                           stamp.isUnix ? 0 : clock_.boot(),
                           stamp.micros, name.data(), name.size(), value.data(), value.size()};
    hasUndated_ = hasUndated_ || !stamp.isUnix;
    return keep(record);
  }

  /** Writes all readings to flash, before a deep sleep for example. Returns true when all are there. */
  bool flush() {
    // What was taken from RAM into the batch is older than the buffer.
    if (batch_.isInRam() && batch_.size() > 0) {
      const Bytes left = batch_.records();
      if (!append(left, batch_.size())) return false;
      batch_.clear();
    }
    if (buffer_.empty()) return true;
    if (!append(buffer_, buffered_)) return false;
    buffer_.clear();
    buffered_ = 0;
    return true;
  }

  /** Sends at most one batch. Call it often. */
  void loop() {
    storeStart();
    const int64_t now = Clock::uptime();
    const bool isInRam = !buffer_.empty() || (batch_.isInRam() && batch_.size() > 0);
    if (isInRam && now - oldestInRam_ >= micros(options_.flushAfterMs)) flush();
    if (!canSend_ || now < notBefore_ || !fill()) return;
    if (key_.current().empty()) return claim();
    if (failures_ == 0 && batch_.size() < limit_ && now < lingerUntil_) return;
    sendBatch();
  }

  Status status() {
    status_.waiting = static_cast<uint32_t>(batch_.size() + buffered_);
    for (const Segment& segment : spool_.segments())
      if (batch_.isInRam() || segment.number != batch_.segment()) status_.waiting += segment.readings;
    status_.spoolBytes = static_cast<uint32_t>(spool_.bytes());
    status_.state = isBlocked_ ? State::blocked : status_.waiting > 0 ? State::waiting : State::idle;
    status_.lastError = lastError_.c_str();
    return status_;
  }

 private:
  static int64_t micros(uint32_t milliseconds) { return static_cast<int64_t>(milliseconds) * 1000; }
  size_t batchReadings() const { return options_.batchReadings < 1 ? 1 : options_.batchReadings; }

  PutResult keep(const Record& record) {
    const size_t size = recordSize(record);
    if (!spool_.hasRoomFor(buffer_.size() + size) && !makeRoom(buffer_.size() + size)) return overflow();
    if (buffer_.size() + size > options_.bufferBytes && !flush()) return overflow();
    if (buffered_ == 0 && !(batch_.isInRam() && batch_.size() > 0)) oldestInRam_ = Clock::uptime();
    encodeRecord(buffer_, record);
    buffered_++;
    return options_.flushAfterMs == 0 && flush() ? PutResult::stored : PutResult::queued;
  }

  PutResult overflow() {
    if (status_.overflowed++ == 0) alarm("spool_full", "the reading is not kept");
    return PutResult::full;
  }

  bool makeRoom(size_t size) {
    while (options_.dropOldest && !spool_.hasRoomFor(size) && !spool_.segments().empty()) {
      const Segment oldest = spool_.segments().front();
      const bool isBatch = !batch_.isInRam() && batch_.segment() == oldest.number;
      const uint32_t dropped = static_cast<uint32_t>(isBatch ? batch_.size() : oldest.readings);
      if (isBatch) batch_.clear();
      spool_.remove(oldest.number);
      if (status_.dropped == 0) alarm("dropped", "the spool is full: the oldest readings are deleted");
      status_.dropped += dropped;
    }
    return spool_.hasRoomFor(size);
  }

  bool append(const Bytes& records, size_t readings) {
    if (spool_.append(records.data(), records.size(), static_cast<uint32_t>(readings))) return true;
    if (lastError_ != "spool_failed") alarm("spool_failed", "the flash cannot be written; readings stay in RAM");
    return false;
  }

  /** Readings without a date can be sent, now and after a restart, once it is on flash when this start began. */
  void storeStart() {
    // The readings first: a segment is deleted when it is the oldest and has none to send.
    if (!hasUndated_ || isStartStored_ || !Clock::isSet()) return;
    const bool isFlushed = flush();
    const int64_t start = Clock::unixMicros() - Clock::uptime();
    Bytes bytes;
    const Record record = {RECORD_CLOCK, clock_.boot(), start, "", 0, "", 0};
    encodeRecord(bytes, record);
    // A device with a broken flash has all readings in RAM, and needs the time for this start only.
    const bool isStored = isFlushed && append(bytes, 0);
    if (!isStored && !spool_.segments().empty()) return;
    clock_.learn(clock_.boot(), start);
    isStartStored_ = true;
  }

  /** Takes the oldest readings into the batch. Returns false if there is nothing to send. */
  bool fill() {
    while (batch_.size() == 0) {
      release();
      if (!spool_.segments().empty()) {
        const uint32_t number = spool_.segments().front().number;
        if (spool_.segments().size() == 1) spool_.seal();
        Bytes bytes;
        if (spool_.read(number, bytes)) {
          batch_.take(bytes, number);
        } else {
          // It must not block the others.
          spool_.setAsideFile(number);
          alarm("spool_damaged", "a segment cannot be read");
        }
      } else if (!buffer_.empty()) {
        batch_.take(buffer_, Batch::IN_RAM);
        buffer_.clear();
        buffered_ = 0;
      } else {
        return false;
      }
    }
    return true;
  }

  /** Deletes the segment of a batch that is acknowledged. */
  void release() {
    if (batch_.size() > 0) return;
    if (!batch_.isInRam()) spool_.remove(batch_.segment());
    batch_.clear();
  }

  /** Repeated until the key is on flash: the response to the same secret is the same key. */
  void claim() {
    std::string body = key_.claim();
    if (body.empty()) return retry(-1, "spool_failed", "the flash cannot be written; no key is claimed");
    // A connection of its own, whose memory is free again before batches are sent.
    Http http;
    const char* url = options_.claimUrl == nullptr ? options_.url : options_.claimUrl;
    if (!http.begin(url, "/api/v1/claims", options_)) return block("invalid_options", "claimUrl is not an https URL");
    const HttpResponse response = http.post(body, "application/json", "", 2048);
    const ResponseBody parsed = parseResponse(response.body);
    status_.lastHttpStatus = response.status;
    isBlocked_ = false;
    if (response.status <= 0 || !parsed.isJson) return retry(-1, "no_response", "no response of key-service");
    if (response.status >= 300 || parsed.apiKey.empty()) return fail(response, parsed);
    if (!key_.keep(parsed.apiKey)) return retry(-1, "spool_failed", "the flash cannot be written; the key is claimed again");
    succeed();
  }

  void sendBatch() {
    std::string body;
    std::vector<size_t> sent;
    for (size_t i = 0; i < batch_.size() && sent.size() < limit_; i++) {
      std::string line;
      const Dated dated = toLine(batch_.record(i), line);
      if (dated == Dated::notYet) break;
      if (dated == Dated::never) {
        setAside(batch_.record(i), "clock_not_set", "the clock was never set before the restart");
        batch_.markDone(i);
      } else {
        body += line + "\n";
        sent.push_back(i);
      }
    }
    if (!sent.empty()) {
      const HttpResponse response = http_.post(body, "application/x-ndjson", key_.current(), 1024 + 512 * sent.size());
      lingerUntil_ = Clock::uptime() + micros(options_.lingerMs);
      handle(response, sent);
    }
    batch_.removeDone();
    release();
  }

  enum class Dated : uint8_t { yes, notYet, never };

  Dated toLine(const Record& record, std::string& line) const {
    int64_t unixMicros = record.micros;
    if (record.type == RECORD_UNDATED) {
      int64_t start = 0;
      if (!clock_.startOf(record.boot, start)) return record.boot == clock_.boot() ? Dated::notYet : Dated::never;
      unixMicros += start;
    }
    line = prefix_ + std::string(record.keg, record.kegLength) + "\",\"value\":" + std::string(record.value, record.valueLength) +
           ",\"timestamp\":\"" + Clock::format(unixMicros) + "\"}";
    return Dated::yes;
  }

  void handle(const HttpResponse& response, const std::vector<size_t>& sent) {
    status_.lastHttpStatus = response.status;
    const int status = response.status;
    const ResponseBody body = parseResponse(response.body);
    const long count = static_cast<long>(sent.size());
    isBlocked_ = false;
    if (status > 0 && response.isTooLarge && count > 1) return halve(sent.size());
    if (status <= 0 || !body.isJson) return retry(-1, "no_response", "no response of ingest");
    if (body.hasErrors && body.accepted == count - static_cast<long>(body.errors.size())) return applyErrors(response, body, sent);
    const bool isConfirmed = status == 200 || (status == 202 && body.status == "queued");
    if (isConfirmed && body.accepted == count) {
      for (size_t i : sent) batch_.markDone(i);
      status_.sent += static_cast<uint32_t>(sent.size());
      return succeed();
    }
    if (status == 413 || (status == 400 && !body.hasErrors)) {
      if (count > 1) return halve(sent.size());
      setAside(batch_.record(sent[0]), body.code.empty() ? "http_" + std::to_string(status) : body.code, body.message);
      batch_.markDone(sent[0]);
      return succeed();
    }
    fail(response, body);
  }

  void fail(const HttpResponse& response, const ResponseBody& body) {
    const int status = response.status;
    const bool isRetryable = status < 300 || status == 408 || status == 429 || status >= 500;
    if (isRetryable) retry(response.retryAfterSeconds, body.code, body.message);
    else block(body.code.empty() ? "http_" + std::to_string(status) : body.code, body.message);
  }

  void block(const std::string& code, const std::string& message) {
    isBlocked_ = true;
    notBefore_ = Clock::uptime() + micros(options_.blockedMs);
    alarm(code, message);
  }

  void applyErrors(const HttpResponse& response, const ResponseBody& body, const std::vector<size_t>& sent) {
    std::vector<const ReadingError*> errors(sent.size(), nullptr);
    for (const ReadingError& error : body.errors) {
      const bool isValid = error.index >= 0 && error.index < static_cast<long>(sent.size());
      if (!isValid || errors[error.index] != nullptr) return retry(-1, "no_response", "the response lists other readings");
      errors[error.index] = &error;
    }
    bool isAnyKept = false;
    for (size_t i = 0; i < sent.size(); i++) {
      if (errors[i] != nullptr && errors[i]->retryable) {
        isAnyKept = true;
        continue;
      }
      if (errors[i] == nullptr) status_.sent++;
      else setAside(batch_.record(sent[i]), errors[i]->code, errors[i]->message);
      batch_.markDone(sent[i]);
    }
    if (isAnyKept) retry(response.retryAfterSeconds, "unavailable", "some readings are not stored yet");
    else succeed();
  }

  void succeed() {
    failures_ = 0;
    limit_ = std::min(limit_ * 2, batchReadings());
    lastError_.clear();
  }

  void halve(size_t count) { limit_ = count / 2; }

  void retry(long retryAfterSeconds, const std::string& code, const std::string& message) {
    lastError_ = code + ": " + message;
    int64_t wait = micros(options_.retryMinMs) << std::min<uint32_t>(failures_, 16);
    wait = std::min(wait, micros(options_.retryMaxMs));
    wait = wait / 2 + random(static_cast<long>(wait / 2) + 1);
    failures_++;
    if (retryAfterSeconds >= 0) wait = micros(1000) * retryAfterSeconds;
    notBefore_ = Clock::uptime() + wait;
  }

  void setAside(const Record& record, const std::string& code, const std::string& message) {
    std::string line;
    if (toLine(record, line) != Dated::yes) line = "{\"keg\":\"" + std::string(record.keg, record.kegLength) + "\"}";
    const std::string reason = "\",\"error\":\"" + escapeJson(message.c_str());
    status_.rejected++;
    alarm(code, message);
    const bool isKept = spool_.setAside("{\"reading\":" + line + ",\"code\":\"" + escapeJson(code.c_str()) + reason + "\"}\n");
    if (!isKept) alarm("spool_failed", "a rejected reading is not kept");
  }

  void alarm(const std::string& code, const std::string& message) {
    lastError_ = code;
    if (options_.onAlarm != nullptr) options_.onAlarm(code.c_str(), message.c_str());
  }

  Options options_;
  Status status_;
  std::string lastError_;
  std::string prefix_;
  Spool spool_;
  ApiKey key_;
  Clock clock_;
  Http http_;
  Batch batch_;
  Bytes buffer_;
  size_t buffered_ = 0;
  size_t limit_ = 1;
  uint32_t failures_ = 0;
  int64_t notBefore_ = 0;
  int64_t lingerUntil_ = 0;
  int64_t oldestInRam_ = 0;
  bool canSend_ = false;
  bool isBlocked_ = false;
  bool hasUndated_ = false;
  bool isStartStored_ = false;
};

}  // namespace cellarman
