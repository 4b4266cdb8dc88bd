#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <type_traits>

namespace cellarman {

/** The shortest decimal that reads back as the same number. Empty for NaN and infinity, which JSON does not have. */
template <class Number>
std::string formatNumber(Number value) {
  static_assert(std::is_arithmetic<Number>::value, "a value is a number");
  const double exact = static_cast<double>(value);
  if (!isfinite(exact)) return "";
  // Integers above 2^53 may not be representable as a double, and ingest would reject them.
  if (std::is_integral<Number>::value && fabs(exact) > 9007199254740992.0) return "";
  const bool isFloat = std::is_same<Number, float>::value;
  char text[32];
  for (int digits = isFloat ? 6 : 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, exact);
    if (isFloat ? strtof(text, nullptr) == static_cast<float>(exact) : strtod(text, nullptr) == exact) break;
  }
  return text;
}

/** A JSON string without the quotation marks. */
inline std::string escapeJson(const char* text) {
  std::string escaped;
  for (; *text != 0; text++) {
    const unsigned char character = static_cast<unsigned char>(*text);
    if (character == '"' || character == '\\') escaped += '\\';
    if (character >= 0x20) {
      escaped += *text;
    } else {
      char code[8];
      snprintf(code, sizeof code, "\\u%04x", character);
      escaped += code;
    }
  }
  return escaped;
}

}  // namespace cellarman
