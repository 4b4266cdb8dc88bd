#pragma once
#include <WiFiClientSecure.h>
#include <strings.h>

#include <map>

/** Writes requests, and reads responses, as the HTTPClient of arduino-esp32 does. */
class HTTPClient {
 public:
  void setReuse(bool) {}
  void setTimeout(uint16_t milliseconds) { timeoutMs_ = milliseconds; }
  void setUserAgent(const String& agent) { agent_ = agent.c_str(); }
  void collectHeaders(const char* names[], size_t count) {
    collected_.clear();
    for (size_t i = 0; i < count; i++) collected_[names[i]] = "";
  }
  void addHeader(const String& name, const String& value) {
    headers_ += std::string(name.c_str()) + ": " + value.c_str() + "\r\n";
  }
  String header(const char* name) { return collected_[name].c_str(); }

  bool begin(WiFiClient& client, const String& url) {
    client_ = &client;
    headers_.clear();
    const std::string text = url.c_str();
    const size_t host = text.find("://") + 3;
    const size_t path = text.find('/', host);
    const size_t colon = text.find(':', host);
    const bool hasPort = colon < path;
    host_ = text.substr(host, (hasPort ? colon : path) - host);
    port_ = hasPort ? static_cast<uint16_t>(atoi(text.c_str() + colon + 1)) : text.compare(0, 5, "https") == 0 ? 443 : 80;
    path_ = text.substr(path);
    return true;
  }

  int POST(uint8_t* payload, size_t size) {
    input_.clear();
    if (!client_->connected() && !client_->connect(host_.c_str(), port_, timeoutMs_)) return -1;
    const std::string head = "POST " + path_ + " HTTP/1.1\r\nHost: " + host_ + ":" + std::to_string(port_) + "\r\nUser-Agent: " +
                             agent_ + "\r\nConnection: keep-alive\r\nAccept-Encoding: identity;q=1,chunked;q=0.1,*;q=0\r\n" +
                             headers_ + "Content-Length: " + std::to_string(size) + "\r\n\r\n";
    if (!send(head + std::string(reinterpret_cast<char*>(payload), size))) return fail(-3);
    size_t end;
    while ((end = input_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return fail(-5);
    const std::string lines = input_.substr(0, end + 2);
    input_.erase(0, end + 4);
    size_ = -1;
    isKept_ = true;
    isChunked_ = false;
    for (size_t at = lines.find("\r\n") + 2; at < lines.size(); at = lines.find("\r\n", at) + 2) readHeader(&lines[at]);
    return atoi(lines.c_str() + 9);
  }

  int writeToStream(Stream* stream) {
    std::string body;
    const bool isWhole = isChunked_ ? readChunks(body) : readBody(body);
    if (!isWhole || !isKept_) client_->stop();
    return isWhole ? static_cast<int>(stream->write(reinterpret_cast<const uint8_t*>(body.data()), body.size())) : -10;
  }
  void end() {}

 private:
  void readHeader(const char* line) {
    const std::string text(line, strstr(line, "\r\n"));
    const size_t colon = text.find(':');
    const size_t start = text.find_first_not_of(' ', colon + 1);
    const std::string name = text.substr(0, colon);
    const std::string value = start == std::string::npos ? "" : text.substr(start);
    if (strcasecmp(name.c_str(), "content-length") == 0) size_ = atoi(value.c_str());
    if (strcasecmp(name.c_str(), "transfer-encoding") == 0) isChunked_ = value == "chunked";
    if (strcasecmp(name.c_str(), "connection") == 0) isKept_ = value != "close";
    for (auto& one : collected_)
      if (strcasecmp(one.first.c_str(), name.c_str()) == 0) one.second = value;
  }
  bool readBody(std::string& body) {
    while (size_ < 0 || input_.size() < static_cast<size_t>(size_))
      if (!receive()) break;
    // Without a length, the connection ends with the body.
    isKept_ = isKept_ && size_ >= 0;
    body.swap(input_);
    return size_ < 0 || body.size() == static_cast<size_t>(size_);
  }
  bool readChunks(std::string& body) {
    for (;;) {
      size_t end;
      while ((end = input_.find("\r\n")) == std::string::npos)
        if (!receive()) return false;
      const size_t size = strtoul(input_.c_str(), nullptr, 16);
      while (input_.size() < end + 2 + size + 2)
        if (!receive()) return false;
      body.append(input_, end + 2, size);
      input_.erase(0, end + 2 + size + 2);
      if (size == 0) return true;
    }
  }
  int fail(int code) {
    client_->stop();
    return code;
  }
  bool send(const std::string& text) {
    for (size_t sent = 0; sent < text.size();) {
      const long now = client_->send(text.data() + sent, text.size() - sent);
      if (now <= 0) return false;
      sent += static_cast<size_t>(now);
    }
    return true;
  }
  bool receive() {
    char buffer[4096];
    const long got = client_->receive(buffer, sizeof buffer);
    if (got > 0) input_.append(buffer, static_cast<size_t>(got));
    return got > 0;
  }

  WiFiClient* client_ = nullptr;
  std::string host_, path_, agent_, headers_, input_;
  std::map<std::string, std::string> collected_;
  uint16_t port_ = 0;
  uint16_t timeoutMs_ = 5000;
  int size_ = -1;
  bool isKept_ = true;
  bool isChunked_ = false;
};
