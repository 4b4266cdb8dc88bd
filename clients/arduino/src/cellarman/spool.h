#pragma once
#include <FS.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <string>

#include "record.h"

namespace cellarman {

struct Segment {
  uint32_t number;
  uint32_t bytes;
  uint32_t readings;
};

/**
 * Files of records on flash, `DIRECTORY/NUMBER.log`, oldest first. Only the newest is appended to, and only if this start created
 * it: what a power loss left at the end of a file is never followed by a record. A segment is deleted when all of its
 * readings are acknowledged, so no position is stored; after a restart, the oldest segment is sent again.
 */
class Spool {
 public:
  static const size_t MAX_SEGMENT_BYTES = 32 * 1024;

  Spool() : fs_(nullptr), limit_(0), segmentBytes_(0), next_(1), isOpen_(false), writtenBytes_(0) {}

  /** Reads all segments; `visit` gets each valid record. Returns the number of damaged places. Never fails. */
  template <class Visit>
  uint32_t begin(fs::FS& fs, const char* directory, size_t limit, size_t segmentBytes, Visit visit) {
    fs_ = &fs;
    directory_ = directory;
    limit_ = limit;
    segmentBytes_ = std::min(segmentBytes, MAX_SEGMENT_BYTES / 2);
    segments_.clear();
    seal();
    fs.mkdir(directory);
    for (uint32_t number : listNumbers()) segments_.push_back(Segment{number, 0, 0});
    next_ = segments_.empty() ? 1 : segments_.back().number + 1;
    uint32_t gaps = 0;
    for (size_t i = 0; i < segments_.size();) {
      Bytes bytes;
      Segment& segment = segments_[i];
      if (!read(segment.number, bytes)) {
        gaps++;
        setAsideFile(segment.number);
        continue;
      }
      const Scan scan = scanRecords(bytes);
      gaps += scan.gaps;
      segment.bytes = static_cast<uint32_t>(bytes.size());
      for (uint32_t offset : scan.offsets) {
        Record record;
        parseRecord(&bytes[offset], bytes.size() - offset, record);
        if (record.type != RECORD_CLOCK) segment.readings++;
        visit(record);
      }
      // A segment without readings may date those of the ones before it.
      if (segment.readings > 0 || i > 0) i++;
      else remove(segment.number);
    }
    return gaps;
  }

  /** The number of the next new segment. No record on flash was written by a start that began with this number. */
  uint32_t nextNumber() const { return next_; }
  const std::vector<Segment>& segments() const { return segments_; }

  size_t bytes() const {
    size_t total = 0;
    for (const Segment& segment : segments_) total += segment.bytes;
    return total;
  }

  bool hasRoomFor(size_t size) const { return bytes() + size <= limit_; }

  /** Writes whole records and syncs them. Returns true when they are on flash. */
  bool append(const uint8_t* data, size_t size, uint32_t readings) {
    if (fs_ == nullptr || size == 0) return false;
    if (isOpen_ && segments_.back().bytes + size > segmentBytes_) seal();
    if (!isOpen_ && !create()) return false;
    size_t written = file_.write(data, size);
    file_.flush();
    writtenBytes_ += size;
    // flush() returns nothing; the size that the file system reports shows whether the records are stored.
    if (written == size && file_.size() == writtenBytes_) {
      segments_.back().bytes += static_cast<uint32_t>(size);
      segments_.back().readings += readings;
      return true;
    }
    const Segment broken = segments_.back();
    seal();
    if (broken.readings == 0) remove(broken.number);
    return false;
  }

  /** Ends the newest segment: the next record starts a new one. */
  void seal() {
    if (isOpen_) file_.close();
    isOpen_ = false;
  }

  /** Reads a segment. Returns false if it cannot be read or is too large to be one. */
  bool read(uint32_t number, Bytes& bytes) {
    fs::File file = fs_->open(path(number, "log").c_str(), "r");
    if (!file || file.size() > MAX_SEGMENT_BYTES) return false;
    bytes.resize(file.size());
    const size_t got = bytes.empty() ? 0 : file.read(&bytes[0], bytes.size());
    bytes.resize(got);
    file.close();
    return true;
  }

  void remove(uint32_t number) {
    forget(number);
    fs_->remove(path(number, "log").c_str());
  }

  /** Keeps the file of a segment that cannot be read, for a person to look at. */
  void setAsideFile(uint32_t number) {
    forget(number);
    fs_->rename(path(number, "log").c_str(), path(number, "broken").c_str());
  }

  /** Keeps a rejected reading, newest 16 KiB to 32 KiB. Returns true when it is on flash. */
  bool setAside(const std::string& line) {
    const std::string current = directory_ + "/rejected.ndjson";
    const std::string previous = directory_ + "/rejected.old.ndjson";
    fs::File file = fs_->open(current.c_str(), "a");
    if (!file) return false;
    size_t size = file.size();
    if (size + line.size() > MAX_SEGMENT_BYTES / 2) {
      file.close();
      fs_->remove(previous.c_str());
      fs_->rename(current.c_str(), previous.c_str());
      file = fs_->open(current.c_str(), "a");
      if (!file) return false;
      size = 0;
    }
    file.write(reinterpret_cast<const uint8_t*>(line.data()), line.size());
    file.flush();
    const bool isStored = file.size() == size + line.size();
    file.close();
    return isStored;
  }

 private:
  std::string path(uint32_t number, const char* extension) const {
    char name[24];
    snprintf(name, sizeof name, "/%08lu.%s", static_cast<unsigned long>(number), extension);
    return directory_ + name;
  }

  std::vector<uint32_t> listNumbers() {
    std::vector<uint32_t> numbers;
    fs::File folder = fs_->open(directory_.c_str(), "r");
    if (!folder || !folder.isDirectory()) return numbers;
    for (fs::File file = folder.openNextFile(); file; file = folder.openNextFile()) {
      const char* slash = strrchr(file.name(), '/');
      const char* name = slash == nullptr ? file.name() : slash + 1;
      char* end = nullptr;
      const unsigned long number = strtoul(name, &end, 10);
      if (end != name && strcmp(end, ".log") == 0) numbers.push_back(static_cast<uint32_t>(number));
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  void forget(uint32_t number) {
    for (size_t i = 0; i < segments_.size(); i++) {
      if (segments_[i].number != number) continue;
      if (isOpen_ && i + 1 == segments_.size()) seal();
      segments_.erase(segments_.begin() + i);
      return;
    }
  }

  bool create() {
    const uint32_t number = next_;
    file_ = fs_->open(path(number, "log").c_str(), "w");
    if (!file_) return false;
    next_++;
    isOpen_ = true;
    writtenBytes_ = 0;
    segments_.push_back(Segment{number, 0, 0});
    return true;
  }

  fs::FS* fs_;
  std::string directory_;
  size_t limit_;
  size_t segmentBytes_;
  uint32_t next_;
  bool isOpen_;
  size_t writtenBytes_;
  fs::File file_;
  std::vector<Segment> segments_;
};

}  // namespace cellarman
