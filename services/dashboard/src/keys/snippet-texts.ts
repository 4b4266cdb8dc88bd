export interface SnippetFacts {
  ingestUrl: string;
  cellar: string;
  rack: string;
  apiKey: string;
}

/**
 * Programs that send one reading. A rack may have any name, so each text is written as a literal of its language: JSON
 * literals are those of JavaScript and of Python too.
 */
export const SNIPPETS = [
  { name: 'curl', write: curl },
  { name: 'Node', write: node },
  { name: 'Python', write: python },
  { name: 'Arduino / ESP32', write: arduino },
] as const;

const KEG = 'temperature';
const VALUE = 11.4;

function address({ ingestUrl }: SnippetFacts): string {
  return `${ingestUrl.replace(/\/+$/, '')}/api/v1/ingest`;
}

function curl(facts: SnippetFacts): string {
  const { cellar, rack, apiKey } = facts;
  const fields = `"cellar":${JSON.stringify(cellar)},"rack":${JSON.stringify(rack)},"keg":"${KEG}","value":${VALUE}`;
  const inShell = fields.replaceAll("'", `'"'"'`);
  return `curl ${address(facts)} \\
  -H 'Content-Type: application/json' \\
  -H 'X-API-Key: ${apiKey}' \\
  -d '{${inShell},"timestamp":"'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"}'`;
}

function node(facts: SnippetFacts): string {
  const { cellar, rack, apiKey } = facts;
  return `const answer = await fetch(${JSON.stringify(address(facts))}, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "X-API-Key": ${JSON.stringify(apiKey)},
  },
  body: JSON.stringify({
    cellar: ${JSON.stringify(cellar)},
    rack: ${JSON.stringify(rack)},
    keg: "${KEG}",
    value: ${VALUE},
    timestamp: new Date().toISOString(),
  }),
});
console.log(answer.status, await answer.json());`;
}

function python(facts: SnippetFacts): string {
  const { cellar, rack, apiKey } = facts;
  return `import json
import urllib.request
from datetime import datetime, timezone

reading = {
    "cellar": ${JSON.stringify(cellar)},
    "rack": ${JSON.stringify(rack)},
    "keg": "${KEG}",
    "value": ${VALUE},
    "timestamp": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
}
request = urllib.request.Request(
    ${JSON.stringify(address(facts))},
    data=json.dumps(reading).encode(),
    headers={
        "Content-Type": "application/json",
        "X-API-Key": ${JSON.stringify(apiKey)},
    },
)
with urllib.request.urlopen(request, timeout=10) as answer:
    print(answer.status, answer.read().decode())`;
}

/** Without it the ESP32 core verifies nothing, and sends the key to any server. */
const AUTHORITY = `// The root certificate of the server's authority. Without it the key would go to any server.
const char* SERVER_CA = R"(-----BEGIN CERTIFICATE-----
paste it here, in PEM
-----END CERTIFICATE-----)";
`;

function arduino(facts: SnippetFacts): string {
  const { cellar, rack, apiKey } = facts;
  const url = address(facts);
  const isEncrypted = url.startsWith('https:');
  const fields = `{"cellar":${JSON.stringify(cellar)},"rack":${JSON.stringify(rack)},"keg":"${KEG}","value":`;
  return `#include <HTTPClient.h>
#include <WiFi.h>
#include <time.h>

const char* WIFI_NAME = "your network";
const char* WIFI_PASSWORD = "its password";
const char* API_KEY = ${JSON.stringify(apiKey)};
${isEncrypted ? AUTHORITY : ''}
void setup() {
  Serial.begin(115200);
  WiFi.begin(WIFI_NAME, WIFI_PASSWORD);
  while (WiFi.status() != WL_CONNECTED) delay(250);
  configTime(0, 0, "pool.ntp.org");         // timestamps are in UTC
  while (time(nullptr) < 1700000000) delay(250);
}

void loop() {
  char timestamp[21];
  time_t now = time(nullptr);
  strftime(timestamp, sizeof timestamp, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));

  String body = String(${cText(fields)}) + String(${VALUE}, 1) +
                ",\\"timestamp\\":\\"" + timestamp + "\\"}";

  HTTPClient http;
  http.begin(${JSON.stringify(url)}${isEncrypted ? ', SERVER_CA' : ''});
  http.addHeader("Content-Type", "application/json");
  http.addHeader("X-API-Key", API_KEY);
  int status = http.POST(body);
  Serial.println(String(status) + " " + http.getString());
  http.end();
  delay(60000);                             // after anything but 200: send the same reading again
}`;
}

/** As a literal of C. JSON in it has no control characters; everything else that is not ASCII goes as it is, in UTF-8. */
function cText(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
