#pragma once
#include <Arduino.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

/** A TCP connection. */
class WiFiClient {
 public:
  virtual ~WiFiClient() { closeSocket(); }
  bool connected() const { return socket_ >= 0; }

  virtual bool connect(const char* host, uint16_t port, int timeoutMs) {
    struct addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    struct addrinfo* found = nullptr;
    if (getaddrinfo(host, std::to_string(port).c_str(), &hints, &found) != 0) return false;
    for (struct addrinfo* one = found; one != nullptr && socket_ < 0; one = one->ai_next) {
      socket_ = ::socket(one->ai_family, one->ai_socktype, 0);
      const struct timeval timeout = {timeoutMs / 1000, (timeoutMs % 1000) * 1000};
      setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
      setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
      if (::connect(socket_, one->ai_addr, one->ai_addrlen) != 0) closeSocket();
    }
    freeaddrinfo(found);
    return socket_ >= 0;
  }
  virtual long send(const char* data, size_t size) { return ::send(socket_, data, size, MSG_NOSIGNAL); }
  virtual long receive(char* data, size_t size) { return ::recv(socket_, data, size, 0); }
  virtual void stop() { closeSocket(); }

 protected:
  int socket_ = -1;

 private:
  void closeSocket() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
};
