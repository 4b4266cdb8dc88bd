{{/*
A migration as a hook: it runs to its end before anything else is installed or upgraded. `component`, the `values` of the service
that it belongs to, `args`, and `config`, the name of the template with what is no secret: that stands in the Job itself, since hooks
run before the ConfigMaps are there.

Several may run at once: PostgreSQL's migration holds an advisory lock, each statement of ClickHouse's can be repeated, and a
topic is made once. What failed stays, for its log, until the next try.
*/}}
{{- define "cellarman.migrationHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- define "cellarman.migrationJob" -}}
{{- with .root.Values.migrations }}
apiVersion: batch/v1
kind: Job
metadata:
  {{- $annotations := merge (dict "helm.sh/hook-weight" "0") (include "cellarman.migrationHook" $ | fromYaml) }}
  {{- include "cellarman.metadata" (dict "root" $.root "component" $.component "annotations" $annotations) | nindent 2 }}
spec:
  backoffLimit: {{ .backoffLimit }}
  activeDeadlineSeconds: {{ .activeDeadlineSeconds }}
  template:
    metadata:
      labels:
        {{- include "cellarman.labels" $ | nindent 8 }}
    spec:
      restartPolicy: Never
      serviceAccountName: {{ include "cellarman.fullname" $.root }}-migrate
      {{- include "cellarman.podSecurity" $.root | nindent 6 }}
      containers:
        - name: {{ $.component }}
          {{- include "cellarman.containerSecurity" $.root | nindent 10 }}
          args:
            {{- toYaml $.args | nindent 12 }}
          env:
            {{- range $name, $value := include $.config $.root | fromYaml }}
            - name: {{ $name }}
              value: {{ include "cellarman.text" $value | quote }}
            {{- end }}
            {{- with include "cellarman.environment" $ | trim }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- with $.values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          resources:
            {{- toYaml .resources | nindent 12 }}
          {{- with include "cellarman.volumeMounts" $ | trim }}
          {{- . | nindent 10 }}
          {{- end }}
      {{- with include "cellarman.volumes" $ | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      {{- with $.values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $.values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
{{- end }}
