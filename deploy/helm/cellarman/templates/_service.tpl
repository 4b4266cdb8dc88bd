{{/* What every service has beside its Deployment. Each template takes `root`, `component` and `values`. */}}

{{- define "cellarman.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "cellarman.metadata" . | nindent 2 }}
data:
  {{- include "cellarman.configData" . | trim | nindent 2 }}
{{- end }}

{{- define "cellarman.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "cellarman.metadata" (dict "root" .root "component" .component "annotations" .values.service.annotations) | nindent 2 }}
spec:
  type: {{ .values.service.type }}
  selector:
    {{- include "cellarman.selector" . | nindent 4 }}
  ports:
    - { name: http, port: {{ .values.service.port }}, targetPort: http, appProtocol: {{ ternary "https" "http" .root.Values.tls.enabled }} }
{{- end }}

{{- define "cellarman.serviceAccount" -}}
{{- if .values.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "cellarman.metadata" (dict "root" .root "component" .component "name" (include "cellarman.serviceAccountName" .) "annotations" .values.serviceAccount.annotations) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
{{- end }}

{{- define "cellarman.podDisruptionBudget" -}}
{{- with .values.podDisruptionBudget }}
{{- if .enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "cellarman.metadata" $ | nindent 2 }}
spec:
  maxUnavailable: {{ .maxUnavailable }}
  # A pod that is not ready does no work, so it must not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "cellarman.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}
