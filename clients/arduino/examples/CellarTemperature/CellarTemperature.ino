// Sends a temperature every ten seconds. Readings survive power loss and outages of the network on the flash of the ESP32.
#include <Cellarman.h>
#include <LittleFS.h>
#include <WiFi.h>

const char* WIFI_NAME = "your network";
const char* WIFI_PASSWORD = "its password";

// The root certificate of the server's CA.
const char* SERVER_CA = R"(-----BEGIN CERTIFICATE-----
paste the PEM here
-----END CERTIFICATE-----)";

cellarman::Client client;
unsigned long lastReading = 0;

void onAlarm(const char* code, const char* message) { Serial.printf("cellarman: %s %s\n", code, message); }

void setup() {
  Serial.begin(115200);
  WiFi.setAutoReconnect(true);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  // Readings from before the clock is set get their time when it is.
  configTime(0, 0, "pool.ntp.org");
  LittleFS.begin(true);

  cellarman::Options options;
  options.url = "https://ingest.example.com";
  options.apiKey = "cm_...";
  options.cellar = "demo";
  options.rack = "boiler-house-2";
  options.caCertificate = SERVER_CA;
  options.onAlarm = onAlarm;
  client.begin(LittleFS, options);
}

void loop() {
  if (millis() - lastReading >= 10000) {
    lastReading = millis();
    client.put("temperature", (analogReadMilliVolts(34) - 500) / 10.0f);
  }
  client.loop();
  delay(10);
}
