{{/* The environment of the services. What is no secret goes through ConfigMaps, the rest by the names of Secrets. */}}

{{/* A value as text. Helm reads whole numbers as floating-point ones, which would print as 6.7108864e+07. */}}
{{- define "cellarman.text" -}}
{{- if kindIs "slice" . }}{{ join "," . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}
{{- else }}{{ . }}
{{- end }}
{{- end }}

{{/* A quantity of memory of Kubernetes, such as 1.5Gi, in bytes. */}}
{{- define "cellarman.bytes" -}}
{{- $text := include "cellarman.text" . }}
{{- $number := regexFind "^[0-9.]+" $text | float64 }}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 }}
{{- printf "%.0f" (mulf $number (get $units (trimPrefix (regexFind "^[0-9.]+" $text) $text) | default 1)) }}
{{- end }}

{{/* The data of a ConfigMap: what the chart sets, and what is given as `config`. */}}
{{- define "cellarman.configData" -}}
{{- range $name, $value := merge (dict) .values.config (include (printf "cellarman.config.%s" .component) .root | fromYaml) }}
{{ $name }}: {{ include "cellarman.text" $value | quote }}
{{- end }}
{{- end }}

{{- define "cellarman.config.telemetry" -}}
{{- with .Values.telemetry -}}
LOG_LEVEL: {{ .logLevel }}
OTEL_TRACES_SAMPLER_ARG: {{ .tracesSamplerArg }}
OTEL_METRICS_EXPORTER: {{ .metricsExporter }}
OTEL_METRIC_EXPORT_INTERVAL: {{ .metricExportIntervalMs }}
OTEL_LOGS_EXPORTER: {{ .logsExporter }}
{{- if .otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .otlpEndpoint }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cellarman.config.stop" -}}
DEREGISTRATION_DELAY_MS: {{ mul 1000 .deregistrationSeconds }}
SHUTDOWN_DEADLINE_MS: {{ mul 1000 (add .deregistrationSeconds .drainSeconds) }}
{{- end }}

{{/* What a service serves with: the files of its Secret, see _pod.tpl. */}}
{{- define "cellarman.config.tls" -}}
{{- if .Values.tls.enabled }}
TLS_CERT_FILE: /etc/cellarman/tls/tls.crt
TLS_KEY_FILE: /etc/cellarman/tls/tls.key
{{- end }}
{{- end }}

{{/* Our certificate for an engine: `root`, `engine`. */}}
{{- define "cellarman.config.clientCertificate" -}}
{{- $engine := .engine }}
{{- with get .root.Values.clientCertificates $engine }}
{{- if .secret }}
{{ upper $engine }}_TLS_CERT_FILE: /etc/cellarman/clients/{{ $engine }}/{{ .certificate }}
{{ upper $engine }}_TLS_KEY_FILE: /etc/cellarman/clients/{{ $engine }}/{{ .key }}
{{- end }}
{{- end }}
{{- end }}

{{/* How to reach Kafka: `root`, and `user`, the value with the name of its own user. */}}
{{- define "cellarman.config.kafka" -}}
{{- $user := .user }}
{{- with .root -}}
KAFKA_BROKERS: {{ join "," .Values.kafka.brokers | quote }}
READINGS_TOPIC: {{ .Values.kafka.topic.readings | quote }}
KAFKA_TLS: {{ .Values.kafka.tls }}
{{- with .Values.kafka.sasl }}
{{- if .mechanism }}
KAFKA_SASL_MECHANISM: {{ .mechanism }}
KAFKA_USERNAME: {{ get . $user | default .username | quote }}
{{- end }}
{{- end }}
{{ include "cellarman.config.clientCertificate" (dict "root" . "engine" "kafka") }}
{{- end }}
{{- end }}

{{/* What the sink and its migration have in common: `root`, `kafkaUser` and `clickhouseUser`, the values with the names of their users. */}}
{{- define "cellarman.config.storage" -}}
{{- $clickhouseUser := .clickhouseUser }}
{{ include "cellarman.config.kafka" (dict "root" .root "user" .kafkaUser) }}
{{- with .root }}
{{- with .Values.kafka.topic }}
DEAD_LETTER_TOPIC: {{ .deadLetter | quote }}
TOPIC_PARTITIONS: {{ .partitions }}
TOPIC_RETENTION_HOURS: {{ .retentionHours }}
TOPIC_RETENTION_GIB: {{ .retentionGiB }}
TOPIC_REPLICATION_FACTOR: {{ .replicationFactor }}
TOPIC_MIN_INSYNC_REPLICAS: {{ .minInsyncReplicas }}
ALLOW_WEAK_TOPIC: {{ .allowWeak }}
{{- end }}
{{- with .Values.clickhouse }}
CLICKHOUSE_URL: {{ .url | quote }}
CLICKHOUSE_DATABASE: {{ .database | quote }}
{{- with get . $clickhouseUser | default .sinkUser }}
CLICKHOUSE_USER: {{ . | quote }}
{{- end }}
{{- end }}
{{ include "cellarman.config.clientCertificate" (dict "root" . "engine" "clickhouse") }}
{{- end }}
{{- end }}

{{- define "cellarman.config.ingest" -}}
{{- with .Values.ingest -}}
HOST: {{ $.Values.listenAddress | quote }}
PORT: 8080
OPERATIONS_PORT: 8090
KEY_SERVICE_URL: {{ include "cellarman.keyServiceInternalUrl" $ }}
INGEST_REPLICAS: {{ ternary .autoscaling.maxReplicas .replicas .autoscaling.enabled }}
KEEP_ALIVE_TIMEOUT_MS: {{ mul 1000 (add $.Values.proxyIdleSeconds 15) }}
CONNECTION_MAX_AGE_SECONDS: {{ .connectionMaxAgeSeconds }}
{{ include "cellarman.config.stop" .stop }}
{{- end }}
{{ include "cellarman.config.tls" . }}
{{ include "cellarman.config.clientCertificate" (dict "root" . "engine" "redis") }}
{{ include "cellarman.config.kafka" (dict "root" . "user" "ingestUsername") }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.key-service" -}}
{{- with .Values.keyService -}}
HOST: {{ $.Values.listenAddress | quote }}
PORT: 8081
INTERNAL_PORT: 8091
INGEST_URL: {{ include "cellarman.url" (dict "root" $ "component" "ingest" "values" $.Values.ingest) }}
QUERY_URL: {{ include "cellarman.url" (dict "root" $ "component" "query" "values" $.Values.query) }}
{{- with .trustedProxies }}
TRUSTED_PROXIES: {{ join "," . | quote }}
{{- end }}
{{- with .adminEmail }}
ADMIN_EMAIL: {{ . | quote }}
{{- end }}
{{- with .ingestPublicUrl | default (include "cellarman.ingestPublicUrl" $) }}
INGEST_PUBLIC_URL: {{ . | quote }}
{{- end }}
{{- with $.Values.monitoring.prometheusRule.runbookBaseUrl }}
RUNBOOK_BASE_URL: {{ . | quote }}
{{- end }}
{{ include "cellarman.config.stop" .stop }}
{{- end }}
{{ include "cellarman.config.tls" . }}
{{ include "cellarman.config.clientCertificate" (dict "root" . "engine" "redis") }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.sink" -}}
HOST: {{ .Values.listenAddress | quote }}
PORT: 4200
CONSUMER_GROUP: {{ .Values.sink.consumerGroup | quote }}
KEY_SERVICE_URL: {{ include "cellarman.keyServiceInternalUrl" . }}
{{ include "cellarman.config.stop" .Values.sink.stop }}
{{ include "cellarman.config.tls" . }}
{{ include "cellarman.config.storage" (dict "root" . "kafkaUser" "sinkUsername" "clickhouseUser" "sinkUser") }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.migrate-keys" -}}
{{- with .Values.migrations.databaseServiceRole }}
DATABASE_SERVICE_ROLE: {{ . | quote }}
{{- end }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.migrate-storage" -}}
{{ include "cellarman.config.storage" (dict "root" . "kafkaUser" "migrateUsername" "clickhouseUser" "migrateUser") }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.query" -}}
{{- with .Values.query -}}
HOST: {{ $.Values.listenAddress | quote }}
PORT: 4300
OPERATIONS_PORT: 4310
KEY_SERVICE_URL: {{ include "cellarman.keyServiceInternalUrl" $ }}
{{ include "cellarman.config.stop" .stop }}
{{- end }}
{{- with .Values.clickhouse }}
CLICKHOUSE_URL: {{ .url | quote }}
CLICKHOUSE_DATABASE: {{ .database | quote }}
{{- if .queryUser }}
CLICKHOUSE_USER: {{ .queryUser | quote }}
{{- end }}
{{- end }}
{{ include "cellarman.config.clientCertificate" (dict "root" . "engine" "clickhouse") }}
{{ include "cellarman.config.tls" . }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{- define "cellarman.config.canary" -}}
{{- with .Values.canary -}}
HOST: {{ $.Values.listenAddress | quote }}
PORT: 4500
INGEST_URL: {{ include "cellarman.url" (dict "root" $ "component" "ingest" "values" $.Values.ingest) }}
QUERY_URL: {{ include "cellarman.url" (dict "root" $ "component" "query" "values" $.Values.query) }}
CELLAR: {{ .cellar | quote }}
SHUTDOWN_DEADLINE_MS: {{ mul 1000 .stop.drainSeconds }}
{{- end }}
{{ include "cellarman.config.tls" . }}
{{ include "cellarman.config.telemetry" . }}
{{- end }}

{{/* Where one service reaches another. */}}
{{- define "cellarman.url" -}}
{{ ternary "https" "http" .root.Values.tls.enabled }}://{{ include "cellarman.componentName" . }}:{{ .values.service.port }}
{{- end }}

{{- define "cellarman.keyServiceInternalUrl" -}}
{{ ternary "https" "http" .Values.tls.enabled }}://{{ include "cellarman.componentName" (dict "root" . "component" "key-service-internal") }}:{{ .Values.keyService.internalPort }}
{{- end }}

{{- define "cellarman.ingestPublicUrl" -}}
{{- with .Values.ingress }}
{{- if and .enabled .ingest.host }}
{{- ternary "https" "http" (not (empty .ingest.tlsSecret)) }}://{{ .ingest.host }}
{{- end }}
{{- end }}
{{- end }}

{{/* What a container has beside its ConfigMap: `component`, and `nodeOptions` if any. */}}
{{- define "cellarman.environment" -}}
{{- include "cellarman.nodeEnvironment" . }}
{{- include "cellarman.secretEnvironment" . }}
{{- end }}

{{/* Secrets, as a list of environment variables of a container: of several, the first that has a name. */}}
{{- define "cellarman.secretEnvironment" -}}
{{- $secrets := .root.Values.secrets }}
{{- $needs := get (dict
  "ingest" (dict "INTERNAL_TOKEN" "ingestToken internalToken" "REDIS_URL" "ingestRedisUrl redisUrl" "KAFKA_PASSWORD" "ingestKafkaPassword kafkaPassword")
  "key-service" (dict "INGEST_TOKEN" "ingestToken" "QUERY_TOKEN" "queryToken" "SINK_TOKEN" "sinkToken" "INTERNAL_TOKEN" "internalToken" "ALERTS_TOKEN" "alertsToken" "SMTP_URL" "smtpUrl" "REDIS_URL" "redisUrl" "DATABASE_URL" "databaseUrl" "ADMIN_PASSWORD" "adminPassword")
  "sink" (dict "INTERNAL_TOKEN" "sinkToken internalToken" "CLICKHOUSE_PASSWORD" "sinkClickhousePassword" "KAFKA_PASSWORD" "sinkKafkaPassword kafkaPassword")
  "query" (dict "INTERNAL_TOKEN" "queryToken internalToken" "ALERTS_TOKEN" "alertsToken" "CLICKHOUSE_PASSWORD" "queryClickhousePassword")
  "canary" (dict "API_KEY" "canaryApiKey")
  "migrate-keys" (dict "DATABASE_URL" "migrateDatabaseUrl databaseUrl")
  "migrate-storage" (dict "CLICKHOUSE_PASSWORD" "migrateClickhousePassword sinkClickhousePassword" "KAFKA_PASSWORD" "migrateKafkaPassword kafkaPassword")
) .component }}
{{- range $variable, $choices := $needs }}
{{- $chosen := dict }}
{{- range splitList " " $choices }}
{{- if and (empty $chosen) (get $secrets .).name }}
{{- $chosen = get $secrets . }}
{{- end }}
{{- end }}
{{- with $chosen }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef: { name: {{ .name }}, key: {{ .key }} }
{{- end }}
{{- end }}
{{- end }}

{{/* What Node itself reads. */}}
{{- define "cellarman.nodeEnvironment" -}}
{{- with .nodeOptions }}
- name: NODE_OPTIONS
  value: {{ . | quote }}
{{- end }}
{{- if include "cellarman.hasAuthorities" .root }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/cellarman/authorities/{{ .root.Values.certificateAuthorities.key }}
{{- end }}
{{- end }}
