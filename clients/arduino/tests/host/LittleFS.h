#pragma once
#include <FS.h>
class LittleFSFS : public fs::FS {
 public:
  bool begin(bool = false) { return true; }
};
static LittleFSFS LittleFS;
