#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

namespace cellarman {

struct ReadingError {
  long index;
  bool retryable;
  std::string code;
  std::string message;
};

/** The fields of a response that the client needs. `isJson` is false for anything that ingest would not send. */
struct ResponseBody {
  bool isJson;
  bool hasErrors;
  long accepted;  // -1: absent
  std::string status;
  std::string code;
  std::string message;
  /** Of a claim. */
  std::string apiKey;
  std::vector<ReadingError> errors;
};

/** A parser for the one shape of document that ingest returns. It skips fields that it does not know. */
class ResponseParser {
 public:
  explicit ResponseParser(const std::string& text) : at_(text.c_str()), end_(at_ + text.size()) {}

  ResponseBody parse() {
    ResponseBody body = ResponseBody();
    body.accepted = -1;
    bool isValid = object([&](const std::string& name) { return bodyField(name, body); });
    space();
    body.isJson = isValid && at_ == end_;
    return body;
  }

 private:
  static const int MAX_DEPTH = 16;

  bool bodyField(const std::string& name, ResponseBody& body) {
    if (name == "status" && isNext('"')) return text(body.status);
    if (name == "code" && isNext('"')) return text(body.code);
    if (name == "error" && isNext('"')) return text(body.message);
    if (name == "apiKey" && isNext('"')) return text(body.apiKey);
    if (name == "accepted" && !isNext('"')) return number(body.accepted);
    if (name != "errors" || !isNext('[')) return skip(0);
    body.hasErrors = true;
    return array([&] {
      ReadingError error = ReadingError();
      error.index = -1;
      if (!object([&](const std::string& field) { return errorField(field, error); })) return false;
      body.errors.push_back(error);
      return true;
    });
  }

  bool errorField(const std::string& name, ReadingError& error) {
    if (name == "index" && !isNext('"')) return number(error.index);
    if (name == "code" && isNext('"')) return text(error.code);
    if (name == "error" && isNext('"')) return text(error.message);
    if (name != "retryable") return skip(0);
    error.retryable = isNext('t');
    return skip(0);
  }

  template <class Field>
  bool object(Field field) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::string name;
      if (!isNext('"') || !text(name) || !take(':') || !field(name)) return false;
    } while (take(','));
    return take('}');
  }

  template <class Item>
  bool array(Item item) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(']');
  }

  bool skip(int depth) {
    if (depth > MAX_DEPTH) return false;
    std::string ignored;
    if (isNext('"')) return text(ignored);
    if (isNext('{')) return object([&](const std::string&) { return skip(depth + 1); });
    if (isNext('[')) return array([&] { return skip(depth + 1); });
    const char* start = at_;
    while (at_ < end_ && (strchr("+-.", *at_) != nullptr || isAlphanumeric(*at_))) at_++;
    return at_ > start;
  }

  bool number(long& result) {
    space();
    char* after = nullptr;
    result = strtol(at_, &after, 10);
    const bool isNumber = after > at_ && after <= end_;
    if (isNumber) at_ = after;
    return isNumber;
  }

  /** Escapes other than \" \\ and \/ become "?": codes have none, and messages are for people. */
  bool text(std::string& result) {
    if (!take('"')) return false;
    for (; at_ < end_ && *at_ != '"'; at_++) {
      char character = *at_;
      if (character == '\\') {
        if (++at_ == end_) return false;
        const bool isPlain = *at_ == '"' || *at_ == '\\' || *at_ == '/';
        character = isPlain ? *at_ : '?';
        if (*at_ == 'u') at_ += end_ - at_ > 4 ? 4 : 0;
      }
      if (result.size() < 160) result += character;
    }
    return take('"');
  }

  static bool isAlphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  void space() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) at_++;
  }

  bool isNext(char character) {
    space();
    return at_ < end_ && *at_ == character;
  }

  bool take(char character) {
    if (!isNext(character)) return false;
    at_++;
    return true;
  }

  const char* at_;
  const char* end_;
};

inline ResponseBody parseResponse(const std::string& text) { return ResponseParser(text).parse(); }

}  // namespace cellarman
