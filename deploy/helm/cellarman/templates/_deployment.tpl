{{/*
The Deployment of a service: `component`, its `values`, the `main` that Node runs, the `ports` of the container by name,
the name of the `operationsPort` that answers probes, and `scaled` when something else sets the number of replicas.
*/}}
{{- define "cellarman.deployment" -}}
{{- /* The kubelet verifies no certificate. */}}
{{- $scheme := ternary "HTTPS" "HTTP" .root.Values.tls.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "cellarman.metadata" . | nindent 2 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "cellarman.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "cellarman.labels" . | nindent 8 }}
        {{- with .values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # The services read their environment at the start, so they roll when it has changed.
        checksum/config: {{ include "cellarman.configData" . | sha256sum }}
        {{- with .root.Values.secrets.revision }}
        cellarman/secrets-revision: {{ . | quote }}
        {{- end }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "cellarman.serviceAccountName" . }}
      {{- include "cellarman.podSecurity" .root | nindent 6 }}
      # Longer than the process takes at most, so that it ends by itself and says what was left.
      terminationGracePeriodSeconds: {{ add .values.stop.preStopSeconds (.values.stop.deregistrationSeconds | default 0) .values.stop.drainSeconds 5 }}
      containers:
        - name: {{ .component }}
          {{- include "cellarman.containerSecurity" .root | nindent 10 }}
          args: [{{ .main }}]
          envFrom:
            - configMapRef: { name: {{ include "cellarman.componentName" . }} }
          env:
            {{- include "cellarman.environment" (merge (dict "nodeOptions" .values.nodeOptions) .) | trim | nindent 12 }}
            {{- with .values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          # Until the process listens: it may wait for another replica's migration.
          startupProbe:
            httpGet: { path: /livez, port: {{ .operationsPort }}, scheme: {{ $scheme }} }
            periodSeconds: 2
            failureThreshold: 60
          # An event loop that answers nobody for a minute does not recover.
          livenessProbe:
            httpGet: { path: /livez, port: {{ .operationsPort }}, scheme: {{ $scheme }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .operationsPort }}, scheme: {{ $scheme }} }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          {{- with .values.stop.preStopSeconds }}
          lifecycle:
            preStop:
              sleep: { seconds: {{ . }} }
          {{- end }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          {{- with include "cellarman.volumeMounts" . | trim }}
          {{- . | nindent 10 }}
          {{- end }}
      {{- with include "cellarman.volumes" . | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      topologySpreadConstraints:
        {{- include "cellarman.topologySpread" . | trim | nindent 8 }}
      {{- with .values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with .values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
