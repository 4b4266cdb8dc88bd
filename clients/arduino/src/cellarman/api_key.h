#pragma once
#include <FS.h>
#include <esp_random.h>
#include <stdio.h>

#include <string>

#include "options.h"
#include "text.h"

namespace cellarman {

/** The API key: that of the options, or one that is claimed and kept on flash in `DIRECTORY/key`. Another rack gets another key. */
class ApiKey {
 public:
  ApiKey() : fs_(nullptr) {}

  /** Returns false if the options have neither a key nor a claim code. */
  bool begin(fs::FS& fs, const Options& options) {
    fs_ = &fs;
    path_ = std::string(options.directory) + "/key";
    rack_ = escapeJson(options.rack == nullptr ? "" : options.rack);
    claimCode_ = escapeJson(options.claimCode == nullptr ? "" : options.claimCode);
    key_ = options.apiKey == nullptr ? "" : options.apiKey;
    secret_.clear();
    if (key_.empty() && !claimCode_.empty()) read();
    return key_.empty() != claimCode_.empty() || !secret_.empty();
  }

  /** Empty until it is claimed. */
  const std::string& current() const { return key_; }

  /**
   * Returns the body of a claim, or nothing if the flash cannot be written. The secret of the device is on flash before the first
   * request, so that a claim after a restart returns the same key.
   */
  std::string claim() {
    if (secret_.empty()) {
      const std::string made = randomHex();
      if (!write(made, "")) return "";
      secret_ = made;
    }
    return "{\"claimCode\":\"" + claimCode_ + "\",\"rack\":\"" + rack_ + "\",\"deviceSecret\":\"" + secret_ + "\"}";
  }

  /** Returns true when the key is on flash. */
  bool keep(const std::string& key) {
    if (!write(secret_, key)) return false;
    key_ = key;
    return true;
  }

 private:
  static std::string randomHex() {
    uint8_t bytes[32];
    esp_fill_random(bytes, sizeof bytes);
    std::string text;
    for (uint8_t byte : bytes) {
      char hex[3];
      snprintf(hex, sizeof hex, "%02x", byte);
      text += hex;
    }
    return text;
  }

  /** Three lines: the rack, the secret, and the key once there is one. */
  void read() {
    fs::File file = fs_->open(path_.c_str(), "r");
    if (!file || file.size() > 4096) return;
    std::string text(file.size(), 0);
    if (text.empty() || file.read(reinterpret_cast<uint8_t*>(&text[0]), text.size()) != text.size()) return;
    const size_t rackEnd = text.find('\n');
    const size_t secretEnd = text.find('\n', rackEnd + 1);
    if (rackEnd == std::string::npos || secretEnd == std::string::npos || text.substr(0, rackEnd) != rack_) return;
    secret_ = text.substr(rackEnd + 1, secretEnd - rackEnd - 1);
    const size_t keyEnd = text.find('\n', secretEnd + 1);
    if (keyEnd != std::string::npos) key_ = text.substr(secretEnd + 1, keyEnd - secretEnd - 1);
  }

  /** Replaces the file as a whole: after a power loss, it is the old one or the new one. */
  bool write(const std::string& secret, const std::string& key) {
    const std::string text = rack_ + "\n" + secret + "\n" + (key.empty() ? "" : key + "\n");
    const std::string part = path_ + ".part";
    fs::File file = fs_->open(part.c_str(), "w");
    if (!file) return false;
    file.write(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    file.flush();
    const bool isStored = file.size() == text.size();
    file.close();
    return isStored && fs_->rename(part.c_str(), path_.c_str());
  }

  fs::FS* fs_;
  std::string path_;
  std::string rack_;
  std::string claimCode_;
  std::string secret_;
  std::string key_;
};

}  // namespace cellarman
