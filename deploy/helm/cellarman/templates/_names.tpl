{{/* Names and labels. Templates below take a dict: `root` is the chart's context, `component` the service. */}}

{{- define "cellarman.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* What names of objects begin with. 40 characters leave room for the longest ending. */}}
{{- define "cellarman.fullname" -}}
{{- $name := include "cellarman.name" . }}
{{- $whole := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- .Values.fullnameOverride | default $whole | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "cellarman.componentName" -}}
{{- printf "%s-%s" (include "cellarman.fullname" .root) .component }}
{{- end }}

{{/* What a Service, a PodDisruptionBudget or a NetworkPolicy finds pods by. It never changes between versions. */}}
{{- define "cellarman.releaseSelector" -}}
app.kubernetes.io/name: {{ include "cellarman.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cellarman.selector" -}}
{{ include "cellarman.releaseSelector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "cellarman.labels" -}}
{{ include "cellarman.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: cellarman
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The metadata of an object. `name` and `namespace` only where they are not the usual ones, `annotations` beside the common ones. */}}
{{- define "cellarman.metadata" -}}
name: {{ .name | default (include "cellarman.componentName" .) }}
namespace: {{ .namespace | default .root.Release.Namespace }}
labels:
  {{- include "cellarman.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cellarman.serviceAccountName" -}}
{{- if .values.serviceAccount.create -}}
{{- .values.serviceAccount.name | default (include "cellarman.componentName" .) }}
{{- else -}}
{{- .values.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "cellarman.image" -}}
{{- with .Values.image }}
{{- $repository := ternary .repository (printf "%s/%s" (trimSuffix "/" .registry) .repository) (empty .registry) }}
{{- if .digest }}
{{- printf "%s@%s" $repository .digest }}
{{- else }}
{{- printf "%s:%s" $repository (.tag | default $.Chart.AppVersion) }}
{{- end }}
{{- end }}
{{- end }}
