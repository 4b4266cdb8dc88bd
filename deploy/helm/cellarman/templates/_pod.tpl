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
{{- with concat (include "cellarman.authoritiesMount" .root | fromYamlArray) .values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cellarman.authoritiesMount" -}}
{{- if .Values.certificateAuthorities.configMap }}
- name: authorities
  mountPath: /etc/cellarman/authorities
  readOnly: true
{{- end }}
{{- end }}

{{- define "cellarman.volumes" -}}
{{- with concat (include "cellarman.authoritiesVolume" .root | fromYamlArray) .values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cellarman.authoritiesVolume" -}}
{{- with .Values.certificateAuthorities.configMap }}
- name: authorities
  configMap: { name: {{ . }} }
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
