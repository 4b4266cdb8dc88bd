{{/* What all pods have in common. They pass the Pod Security Standard "restricted". */}}

{{- define "cellarman.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  # The user `node` of the image.
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "cellarman.containerSecurity" -}}
image: {{ include "cellarman.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "cellarman.volumeMounts" -}}
{{- with concat (include "cellarman.authoritiesMount" .root | fromYamlArray) (include "cellarman.certificateMounts" . | fromYamlArray) .values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cellarman.hasAuthorities" -}}
{{- with .Values.certificateAuthorities }}{{ .configMap | default .secret }}{{ end }}
{{- end }}

{{- define "cellarman.authoritiesMount" -}}
{{- if include "cellarman.hasAuthorities" . }}
- name: authorities
  mountPath: /etc/cellarman/authorities
  readOnly: true
{{- end }}
{{- end }}

{{- define "cellarman.volumes" -}}
{{- with concat (include "cellarman.authoritiesVolume" .root | fromYamlArray) (include "cellarman.certificateVolumes" . | fromYamlArray) .values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cellarman.authoritiesVolume" -}}
{{- with .Values.certificateAuthorities }}
{{- if or .configMap .secret }}
- name: authorities
  {{- if .configMap }}
  configMap:
    name: {{ .configMap }}
  {{- else }}
  secret:
    secretName: {{ .secret }}
  {{- end }}
    # The Secret of an authority has its key, too, which is for nobody here.
    items:
      - { key: {{ .key }}, path: {{ .key }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Secrets with certificates of a pod, by the directory below /etc/cellarman where they are. Whole directories, so that Kubernetes renews them. */}}
{{- define "cellarman.certificates" -}}
{{- $tls := .root.Values.tls }}
{{- $name := camelcase (replace "-" "_" .component) | untitle }}
{{- if and $tls.enabled (hasKey $tls.secrets $name) }}
tls: {{ get $tls.secrets $name | default (printf "%s-tls" (include "cellarman.componentName" (dict "root" .root "component" .component))) }}
{{- end }}
{{- $engines := get (dict
  "ingest" (list "kafka" "redis")
  "key-service" (list "postgres" "redis")
  "sink" (list "kafka" "clickhouse")
  "query" (list "clickhouse")
  "canary" list
  "migrate-keys" (list "postgres")
  "migrate-storage" (list "kafka" "clickhouse")
) .component }}
{{- range $engines }}
{{- $engine := . }}
{{- with get $.root.Values.clientCertificates $engine }}
{{- if .secret }}
clients/{{ $engine }}: {{ .secret }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "cellarman.certificateMounts" -}}
{{- range $directory, $secret := include "cellarman.certificates" . | fromYaml }}
- name: {{ replace "/" "-" $directory }}
  mountPath: /etc/cellarman/{{ $directory }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "cellarman.certificateVolumes" -}}
{{- range $directory, $secret := include "cellarman.certificates" . | fromYaml }}
- name: {{ replace "/" "-" $directory }}
  secret: { secretName: {{ $secret }} }
{{- end }}
{{- end }}

{{/* Over zones, then over nodes, as far as possible. A rule that cannot be kept must not keep a pod from starting. */}}
{{- define "cellarman.topologySpread" -}}
{{- if .values.topologySpreadConstraints }}
{{- toYaml .values.topologySpreadConstraints }}
{{- else }}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "cellarman.selector" $ | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end }}
