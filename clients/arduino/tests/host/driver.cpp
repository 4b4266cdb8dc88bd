// A device that a test controls: one command per line on stdin, one line of JSON per command on stdout.
#include <Cellarman.h>
#include <LittleFS.h>

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

using cellarman::PutResult;

namespace {

std::map<std::string, std::string> settings;
std::unique_ptr<cellarman::Client> client;
std::string alarms;

const char* setting(const char* name) {
  const auto found = settings.find(name);
  return found == settings.end() ? nullptr : found->second.c_str();
}

uint32_t numberSetting(const char* name, uint32_t otherwise) {
  return setting(name) == nullptr ? otherwise : static_cast<uint32_t>(atol(setting(name)));
}

void onAlarm(const char* code, const char*) { alarms += (alarms.empty() ? "" : " ") + std::string(code); }

bool open(std::istream& words) {
  for (std::string word; words >> word;) settings[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  host::disk().root = setting("root");
  host::disk().isOff = false;
  static std::string ca;
  if (setting("ca") != nullptr) {
    std::ifstream file(setting("ca"));
    ca.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  cellarman::Options options;
  options.url = setting("url");
  options.apiKey = setting("apiKey");
  options.claimCode = setting("claimCode");
  options.claimUrl = setting("claimUrl");
  options.cellar = setting("cellar");
  options.rack = setting("rack");
  options.caCertificate = ca.empty() ? nullptr : ca.c_str();
  options.allowPlainHttp = ca.empty() && setting("tls") == nullptr;
  options.spoolBytes = numberSetting("spoolBytes", options.spoolBytes);
  options.dropOldest = setting("dropOldest") != nullptr;
  options.segmentBytes = numberSetting("segmentBytes", options.segmentBytes);
  options.bufferBytes = numberSetting("bufferBytes", options.bufferBytes);
  options.flushAfterMs = numberSetting("flushAfterMs", 0);
  options.batchReadings = static_cast<uint16_t>(numberSetting("batchReadings", options.batchReadings));
  options.lingerMs = 0;
  options.onAlarm = onAlarm;
  client.reset(new cellarman::Client());
  return client->begin(LittleFS, options);
}

const char* put(std::istream& words) {
  std::string keg, value;
  words >> keg >> value;
  const PutResult result = value[0] == 'f' ? client->put(keg.c_str(), strtof(value.c_str() + 1, nullptr))
                                           : client->put(keg.c_str(), atof(value.c_str()));
  switch (result) {
    case PutResult::stored: return "\"stored\"";
    case PutResult::queued: return "\"queued\"";
    case PutResult::full: return "\"full\"";
    default: return "\"invalid\"";
  }
}

std::string status() {
  const cellarman::Status status = client->status();
  static const char* STATES[] = {"idle", "waiting", "blocked"};
  std::ostringstream json;
  json << "{\"state\":\"" << STATES[static_cast<int>(status.state)] << "\",\"waiting\":" << status.waiting
       << ",\"sent\":" << status.sent << ",\"rejected\":" << status.rejected << ",\"dropped\":" << status.dropped
       << ",\"overflowed\":" << status.overflowed << ",\"damaged\":" << status.damaged
       << ",\"spoolBytes\":" << status.spoolBytes << ",\"lastHttpStatus\":" << status.lastHttpStatus << ",\"alarms\":\"" << alarms
       << "\"}";
  alarms.clear();
  return json.str();
}

std::string run(const std::string& command, std::istream& words) {
  long number = 0;
  if (command == "open") return open(words) ? "true" : "false";
  if (command == "put") return put(words);
  if (command == "status") return status();
  if (command == "loop") {
    client->loop();
  } else if (command == "flush") {
    return client->flush() ? "true" : "false";
  } else if (command == "advance" && words >> number) {
    host::clocks().moved += static_cast<int64_t>(number) * 1000;
  } else if (command == "clock" && words >> number) {
    host::clocks().unixAtStart = static_cast<int64_t>(number) * 1000 - host::monotonicMicros();
  } else if (command == "disk" && words >> number) {
    host::disk().left = number;
  } else if (command == "crash") {
    host::disk().isOff = true;
    client.reset();
  } else {
    return "\"unknown command\"";
  }
  return "true";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    std::cout << run(command, words) << std::endl;
  }
}
