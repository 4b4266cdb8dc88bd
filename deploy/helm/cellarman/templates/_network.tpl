{{/* Rules of NetworkPolicies. */}}

{{/* The ports of addresses, each `host:port`. */}}
{{- define "cellarman.portsOf" -}}
{{- $ports := list }}
{{- range . }}
{{- $ports = append $ports (last (splitList ":" .) | int) }}
{{- end }}
{{- uniq $ports | toYaml }}
{{- end }}

{{- define "cellarman.clickhousePorts" -}}
{{- $url := urlParse .Values.clickhouse.url }}
{{- if contains ":" $url.host }}
{{- include "cellarman.portsOf" (list $url.host) }}
{{- else }}
{{- ternary 443 80 (eq $url.scheme "https") | list | toYaml }}
{{- end }}
{{- end }}

{{/* One rule to somebody outside: `to` and `ports`. */}}
{{- define "cellarman.egressRule" -}}
- ports:
    {{- range .ports }}
    - { port: {{ include "cellarman.text" . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "cellarman.egressTo.dns" -}}
{{- with .Values.networkPolicy.dns }}
- ports:
    {{- range .ports }}
    - { port: {{ include "cellarman.text" . }}, protocol: UDP }
    - { port: {{ include "cellarman.text" . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "cellarman.egressTo.kafka" -}}
{{- $ports := .Values.networkPolicy.kafka.ports | default (include "cellarman.portsOf" .Values.kafka.brokers | fromYamlArray) }}
{{- include "cellarman.egressRule" (dict "ports" $ports "to" .Values.networkPolicy.kafka.to) }}
{{- end }}

{{- define "cellarman.egressTo.clickhouse" -}}
{{- $ports := .Values.networkPolicy.clickhouse.ports | default (include "cellarman.clickhousePorts" . | fromYamlArray) }}
{{- include "cellarman.egressRule" (dict "ports" $ports "to" .Values.networkPolicy.clickhouse.to) }}
{{- end }}

{{- define "cellarman.egressTo.redis" -}}
{{- include "cellarman.egressRule" .Values.networkPolicy.redis }}
{{- end }}

{{- define "cellarman.egressTo.postgres" -}}
{{- include "cellarman.egressRule" .Values.networkPolicy.postgres }}
{{- end }}

{{- define "cellarman.egressTo.webhooks" -}}
{{- if .Values.networkPolicy.webhooks.ports }}
{{- include "cellarman.egressRule" .Values.networkPolicy.webhooks }}
{{- end }}
{{- end }}

{{- define "cellarman.egressTo.mail" -}}
{{- if .Values.secrets.smtpUrl.name }}
{{- include "cellarman.egressRule" .Values.networkPolicy.mail }}
{{- end }}
{{- end }}

{{- define "cellarman.egressTo.traces" -}}
{{- if .Values.telemetry.otlpEndpoint }}
{{- include "cellarman.egressRule" .Values.networkPolicy.traces }}
{{- end }}
{{- end }}

{{- define "cellarman.egressTo.ingest" -}}
{{ include "cellarman.egressToPods" (dict "root" . "component" "ingest" "port" 8080) }}
{{- end }}

{{- define "cellarman.egressTo.key-service" -}}
{{ include "cellarman.egressToPods" (dict "root" . "component" "key-service" "port" 8081) }}
{{- end }}

{{- define "cellarman.egressTo.key-service-internal" -}}
{{ include "cellarman.egressToPods" (dict "root" . "component" "key-service" "port" 8091) }}
{{- end }}

{{- define "cellarman.egressTo.query" -}}
{{ include "cellarman.egressToPods" (dict "root" . "component" "query" "port" 4300) }}
{{- end }}

{{- define "cellarman.egressToPods" -}}
- ports:
    - { port: {{ .port }}, protocol: TCP }
  to:
    - podSelector:
        matchLabels:
          {{- include "cellarman.selector" . | nindent 10 }}
{{- end }}

{{/* Who may connect to a pod: see networkpolicies.yaml. */}}
{{- define "cellarman.ingressRules" -}}
{{- if .clients }}
- ports:
    - { port: {{ .port }}, protocol: TCP }
  {{- with .root.Values.networkPolicy.clients }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- range $port, $pods := .from }}
- ports:
    - { port: {{ $port }}, protocol: TCP }
  from:
    {{- range $pods }}
    - podSelector:
        matchLabels:
          {{- include "cellarman.selector" (dict "root" $.root "component" .) | nindent 10 }}
    {{- end }}
{{- end }}
{{- if and .metrics .root.Values.monitoring.serviceMonitor.enabled }}
- ports:
    - { port: {{ .metrics }}, protocol: TCP }
  from:
    {{- .root.Values.networkPolicy.prometheus | default (list (dict "namespaceSelector" dict)) | toYaml | nindent 4 }}
{{- end }}
{{- end }}
