#pragma once
#include "record.h"

namespace cellarman {

/** The oldest readings, which are sent next: those of one segment, or what was in RAM. */
class Batch {
 public:
  /** Segments count from 1. */
  static const uint32_t IN_RAM = 0;

  Batch() : segment_(IN_RAM) {}

  void take(const Bytes& bytes, uint32_t segment) {
    bytes_ = bytes;
    segment_ = segment;
    offsets_.clear();
    for (uint32_t offset : scanRecords(bytes_).offsets) {
      offsets_.push_back(offset);
      if (record(offsets_.size() - 1).type == RECORD_CLOCK) offsets_.pop_back();
    }
    isDone_.assign(offsets_.size(), false);
  }

  void clear() { take(Bytes(), IN_RAM); }
  bool isInRam() const { return segment_ == IN_RAM; }
  uint32_t segment() const { return segment_; }
  /** Readings that are neither acknowledged nor set aside. */
  size_t size() const { return offsets_.size(); }

  Record record(size_t index) const {
    Record record;
    const uint32_t offset = offsets_[index];
    parseRecord(&bytes_[offset], bytes_.size() - offset, record);
    return record;
  }

  /** The encoded records that are left. */
  Bytes records() const {
    Bytes left;
    for (size_t i = 0; i < size(); i++) encodeRecord(left, record(i));
    return left;
  }

  void markDone(size_t index) { isDone_[index] = true; }

  void removeDone() {
    size_t kept = 0;
    for (size_t i = 0; i < offsets_.size(); i++)
      if (!isDone_[i]) offsets_[kept++] = offsets_[i];
    offsets_.resize(kept);
    isDone_.assign(kept, false);
  }

 private:
  uint32_t segment_;
  Bytes bytes_;
  std::vector<uint32_t> offsets_;
  std::vector<bool> isDone_;
};

}  // namespace cellarman
