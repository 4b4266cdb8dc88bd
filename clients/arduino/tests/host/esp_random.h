#pragma once
#include <stddef.h>
#include <stdio.h>

inline void esp_fill_random(void* bytes, size_t size) {
  FILE* random = fopen("/dev/urandom", "rb");
  if (random == nullptr || fread(bytes, 1, size, random) != size) abort();
  fclose(random);
}
