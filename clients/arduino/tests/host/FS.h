// Files as LittleFS has them: what is written becomes part of the file when it is synced or closed, and not before.
#pragma once
#include <Arduino.h>
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

namespace host {
struct Disk {
  std::string root;
  /** Bytes that can still be written; negative: no limit. */
  long left = -1;
  /** Power is lost: nothing reaches the disk any more. */
  bool isOff = false;
};
inline Disk& disk() {
  static Disk instance;
  return instance;
}
}  // namespace host

namespace fs {

class File : public Stream {
 public:
  File() {}
  File(const std::string& path, const char* mode) : state_(new State()) {
    state_->path = path;
    state_->writes = mode[0] != 'r';
    const std::string real = host::disk().root + path;
    struct stat info;
    const bool exists = stat(real.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) state_->folder = opendir(real.c_str());
    else if (exists || state_->writes) state_->file = fopen(real.c_str(), mode);
    if (state_->folder == nullptr && state_->file == nullptr) state_.reset();
  }
  operator bool() const { return state_ != nullptr; }
  bool isDirectory() const { return state_ && state_->folder != nullptr; }
  const char* name() const { return strrchr(state_->path.c_str(), '/') + 1; }

  File openNextFile() {
    for (struct dirent* entry = readdir(state_->folder); entry != nullptr; entry = readdir(state_->folder))
      if (entry->d_name[0] != '.') return File(state_->path + "/" + entry->d_name, "r");
    return File();
  }

  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* data, size_t size) override {
    state_->unsynced.append(reinterpret_cast<const char*>(data), size);
    return size;
  }
  void flush() override {
    if (state_) state_->sync();
  }
  size_t size() const {
    struct stat info;
    return stat((host::disk().root + state_->path).c_str(), &info) == 0 ? info.st_size : 0;
  }
  size_t read(uint8_t* data, size_t size) { return fread(data, 1, size, state_->file); }
  int available() override { return 0; }
  int read() override { return -1; }
  int peek() override { return -1; }
  void close() { state_.reset(); }

 private:
  struct State {
    std::string path;
    std::string unsynced;
    bool writes = false;
    FILE* file = nullptr;
    DIR* folder = nullptr;
    void sync() {
      long& left = host::disk().left;
      size_t size = host::disk().isOff ? 0 : unsynced.size();
      if (left >= 0 && static_cast<long>(size) > left) size = left;
      if (left >= 0) left -= static_cast<long>(size);
      fwrite(unsynced.data(), 1, size, file);
      fflush(file);
      unsynced.clear();
    }
    ~State() {
      if (file != nullptr && writes) sync();
      if (file != nullptr) fclose(file);
      if (folder != nullptr) closedir(folder);
    }
  };
  std::shared_ptr<State> state_;
};

class FS {
 public:
  File open(const char* path, const char* mode = "r") { return File(path, mode); }
  bool remove(const char* path) { return !host::disk().isOff && unlink(real(path).c_str()) == 0; }
  bool rename(const char* from, const char* to) {
    return !host::disk().isOff && ::rename(real(from).c_str(), real(to).c_str()) == 0;
  }
  bool mkdir(const char* path) { return ::mkdir(real(path).c_str(), 0700) == 0; }

 private:
  static std::string real(const char* path) { return host::disk().root + path; }
};

}  // namespace fs
