export interface SnippetParams {
  ingestUrl: string;
  cellar: string;
  rack: string;
  apiKey: string;
}

/**
 * Programs that send one reading. A rack name may have any character, so names are written as literals of the language:
 * JSON literals are valid in JavaScript and Python.
 */
export const SNIPPETS = [
  { name: 'curl', write: curl },
  { name: 'Node', write: node },
  { name: 'Python', write: python },
  { name: 'Arduino / ESP32', write: arduino },
] as const;

const KEG = 'temperature';
const VALUE = 11.4;

function endpoint({ ingestUrl }: SnippetParams): string {
  return `${ingestUrl.replace(/\/+$/, '')}/api/v1/ingest`;
}

function curl(params: SnippetParams): string {
  const { cellar, rack, apiKey } = params;
  const fields = `"cellar":${JSON.stringify(cellar)},"rack":${JSON.stringify(rack)},"keg":"${KEG}","value":${VALUE}`;
  const inShell = fields.replaceAll("'", `'"'"'`);
  return `curl ${endpoint(params)} \\
  -H 'Content-Type: application/json' \\
  -H 'X-API-Key: ${apiKey}' \\
  -d '{${inShell},"timestamp":"'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"}'`;
}

function node(params: SnippetParams): string {
  const { cellar, rack, apiKey } = params;
  return `const response = await fetch(${JSON.stringify(endpoint(params))}, {
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
console.log(response.status, await response.json());`;
}

function python(params: SnippetParams): string {
  const { cellar, rack, apiKey } = params;
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
    ${JSON.stringify(endpoint(params))},
    data=json.dumps(reading).encode(),
    headers={
        "Content-Type": "application/json",
        "X-API-Key": ${JSON.stringify(apiKey)},
    },
)
with urllib.request.urlopen(request, timeout=10) as response:
    print(response.status, response.read().decode())`;
}

/** Without it, the ESP32 core does not verify the server and would send the key to anyone. */
const AUTHORITY = `// The root certificate of the server's CA. Without it, the server is not verified.
const char* SERVER_CA = R"(-----BEGIN CERTIFICATE-----
paste the PEM here
-----END CERTIFICATE-----)";
`;

function arduino(params: SnippetParams): string {
  const { cellar, rack, apiKey } = params;
  const url = endpoint(params);
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
  delay(60000);                             // on any status but 200, retry the same reading
}`;
}

/** Returns a string literal of C. JSON has no control characters, and other non-ASCII characters stay UTF-8. */
function cText(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
