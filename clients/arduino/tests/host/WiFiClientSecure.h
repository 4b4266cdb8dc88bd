#pragma once
#include <WiFiClient.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/** A TLS connection. As on the device, the certificate is verified if a CA is set. */
class WiFiClientSecure : public WiFiClient {
 public:
  WiFiClientSecure() : context_(SSL_CTX_new(TLS_client_method())) {}
  ~WiFiClientSecure() override {
    stop();
    SSL_CTX_free(context_);
  }

  void setCACert(const char* pem) {
    BIO* text = BIO_new_mem_buf(pem, -1);
    X509* certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
    if (certificate != nullptr) X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), certificate);
    X509_free(certificate);
    BIO_free(text);
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
  }

  bool connect(const char* host, uint16_t port, int timeoutMs) override {
    if (!WiFiClient::connect(host, port, timeoutMs)) return false;
    ssl_ = SSL_new(context_);
    SSL_set_tlsext_host_name(ssl_, host);
    SSL_set1_host(ssl_, host);
    SSL_set_fd(ssl_, socket_);
    if (SSL_connect(ssl_) == 1) return true;
    stop();
    return false;
  }
  long send(const char* data, size_t size) override { return SSL_write(ssl_, data, static_cast<int>(size)); }
  long receive(char* data, size_t size) override { return SSL_read(ssl_, data, static_cast<int>(size)); }
  void stop() override {
    if (ssl_ != nullptr) SSL_free(ssl_);
    ssl_ = nullptr;
    WiFiClient::stop();
  }

 private:
  SSL_CTX* context_;
  SSL* ssl_ = nullptr;
};
