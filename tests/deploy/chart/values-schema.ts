import { Type } from '@sinclair/typebox';
import type { TProperties } from '@sinclair/typebox';
import {
  anything,
  closed,
  count,
  derivedPeers,
  given,
  host,
  marks,
  name,
  peers,
  resources,
  seconds,
  secretKey,
  texts,
  things,
} from './schema-parts.ts';
import { settableVariables } from './service-variables.ts';
import type { ServiceName } from './service-variables.ts';

const kafkaAddress = Type.String({ pattern: '^[^\\s:/,]+:[0-9]+$' });
const brokers = Type.Array(kafkaAddress, { minItems: 1 });

const image = closed({
  registry: Type.String({ pattern: '^$|^[^\\s]*[^\\s/]$' }),
  repository: Type.String({ minLength: 1 }),
  tag: Type.String(),
  digest: Type.String({ pattern: '^$|^sha256:[0-9a-f]{64}$' }),
  pullPolicy: Type.String({ enum: ['Always', 'IfNotPresent', 'Never'] }),
  pullSecrets: Type.Array(Type.String({ minLength: 1 })),
});

const kafka = closed({
  brokers,
  tls: Type.Boolean(),
  sasl: closed({
    mechanism: Type.String({ enum: ['', 'plain', 'scram-sha-256', 'scram-sha-512'] }),
    username: Type.String(),
    ingestUsername: Type.String(),
    sinkUsername: Type.String(),
    migrateUsername: Type.String(),
  }),
  topic: closed({
    readings: Type.String({ pattern: '^[A-Za-z0-9._-]{1,249}$' }),
    deadLetter: Type.String({ pattern: '^[A-Za-z0-9._-]{1,249}$' }),
    partitions: count(1),
    retentionHours: count(24),
    retentionGiB: count(0),
    replicationFactor: count(1),
    minInsyncReplicas: count(1),
    allowWeak: Type.Boolean(),
    resources: closed({ enabled: Type.Boolean(), cluster: name, namespace: name }),
  }),
});

const clickhouse = closed({
  // A password in the URL would be in a ConfigMap.
  url: Type.String({ pattern: '^https?://[^\\s/@]+/?$' }),
  database: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
  sinkUser: Type.String(),
  migrateUser: Type.String(),
  queryUser: Type.String(),
});

const secrets = closed({
  ingestToken: secretKey(false),
  queryToken: secretKey(false),
  sinkToken: secretKey(false),
  internalToken: secretKey(false),
  databaseUrl: secretKey(true),
  alertsToken: secretKey(false),
  smtpUrl: secretKey(false),
  migrateDatabaseUrl: secretKey(false),
  redisUrl: secretKey(true),
  ingestRedisUrl: secretKey(false),
  kafkaPassword: secretKey(false),
  ingestKafkaPassword: secretKey(false),
  sinkKafkaPassword: secretKey(false),
  migrateKafkaPassword: secretKey(false),
  sinkClickhousePassword: secretKey(false),
  migrateClickhousePassword: secretKey(false),
  queryClickhousePassword: secretKey(false),
  canaryApiKey: secretKey(false),
  adminPassword: secretKey(false),
  revision: Type.String(),
});

const tls = closed({
  enabled: Type.Boolean(),
  secrets: closed({ ingest: name, keyService: name, sink: name, query: name, canary: name }),
});

const clientCertificate = closed({
  secret: name,
  certificate: Type.String({ minLength: 1 }),
  key: Type.String({ minLength: 1 }),
});
const clientCertificates = closed({
  kafka: clientCertificate,
  redis: clientCertificate,
  clickhouse: clientCertificate,
  postgres: clientCertificate,
});

const telemetry = closed({
  logLevel: Type.String({ enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] }),
  otlpEndpoint: Type.String({ pattern: '^$|^https?://' }),
  tracesSamplerArg: Type.Number({ minimum: 0, maximum: 1 }),
  metricsExporter: Type.String({
    enum: ['prometheus', 'otlp', 'prometheus,otlp', 'otlp,prometheus', 'none'],
  }),
  metricExportIntervalMs: count(100),
  logsExporter: Type.String({ enum: ['none', 'otlp'] }),
});

const service = closed({
  type: Type.String({ enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  annotations: marks,
});

function workload<Own extends TProperties>(variablesOf: ServiceName, own: Own) {
  return closed({
    replicas: count(),
    config: given(settableVariables(variablesOf)),
    nodeOptions: Type.String(),
    resources,
    stop: closed({ preStopSeconds: seconds, deregistrationSeconds: seconds, drainSeconds: count(1) }),
    podDisruptionBudget: closed({
      enabled: Type.Boolean(),
      maxUnavailable: Type.Union([count(1), Type.String({ pattern: '^[1-9][0-9]?%$' })]),
    }),
    serviceAccount: closed({ create: Type.Boolean(), name, annotations: marks }),
    extraEnv: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) })),
    extraVolumes: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) })),
    extraVolumeMounts: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) })),
    podLabels: marks,
    podAnnotations: marks,
    priorityClassName: name,
    nodeSelector: marks,
    tolerations: things,
    affinity: anything,
    topologySpreadConstraints: things,
    ...own,
  });
}

const scaling = { enabled: Type.Boolean(), minReplicas: count(1), maxReplicas: count(1) };

const outside = closed({ host, annotations: marks, tlsSecret: name });
const ingestOutside = closed({ ...outside.properties, routeByKey: Type.Boolean() });

const networkPolicy = closed({
  enabled: Type.Boolean(),
  clients: things,
  prometheus: things,
  dns: peers,
  kafka: derivedPeers,
  clickhouse: derivedPeers,
  redis: peers,
  postgres: peers,
  webhooks: peers,
  mail: peers,
  traces: peers,
});

const monitoring = closed({
  serviceMonitor: closed({
    enabled: Type.Boolean(),
    labels: marks,
    interval: Type.String({ pattern: '^[0-9]+(ms|s|m)$' }),
  }),
  prometheusRule: closed({
    enabled: Type.Boolean(),
    labels: marks,
    alertLabels: marks,
    runbookBaseUrl: Type.String({ pattern: '^$|^https?://' }),
  }),
  dashboards: closed({ enabled: Type.Boolean(), labels: marks, annotations: marks }),
});

/** What values the chart takes: `values.schema.json`, which Helm checks before anything else. */
export function valuesSchema(): object {
  const schema = closed({
    // For charts that have this one as a dependency.
    global: Type.Optional(anything),
    enabled: Type.Optional(Type.Boolean()),
    nameOverride: name,
    fullnameOverride: name,
    commonLabels: marks,
    commonAnnotations: marks,
    image,
    kafka,
    clickhouse,
    secrets,
    certificateAuthorities: closed({ configMap: name, secret: name, key: Type.String({ minLength: 1 }) }),
    tls,
    clientCertificates,
    telemetry,
    listenAddress: Type.String({ minLength: 1 }),
    proxyIdleSeconds: count(),
    ingest: workload('ingest', {
      service,
      connectionMaxAgeSeconds: count(),
      autoscaling: closed({
        ...scaling,
        targetCPUPercent: Type.Integer({ minimum: 1, maximum: 100 }),
        connections: count(),
        inFlightReadings: count(),
      }),
    }),
    keyService: workload('keyService', {
      service,
      adminEmail: Type.String({ pattern: '^$|^[^@\\s]+@[^@\\s]+$' }),
      ingestPublicUrl: Type.String({ pattern: '^$|^https?://' }),
      trustedProxies: texts,
      internalPort: Type.Integer({ minimum: 1, maximum: 65_535 }),
    }),
    sink: workload('sink', {
      consumerGroup: Type.String({ minLength: 1 }),
      autoscaling: closed({
        ...scaling,
        lagThreshold: count(1),
        pollingIntervalSeconds: count(1),
        fallbackReplicas: count(1),
        triggerAuthentication: name,
      }),
    }),
    query: workload('query', { service }),
    canary: workload('canary', {
      enabled: Type.Boolean(),
      cellar: Type.String(),
      stop: closed({ preStopSeconds: seconds, drainSeconds: count(1) }),
    }),
    migrations: closed({
      enabled: Type.Boolean(),
      databaseServiceRole: Type.String(),
      backoffLimit: count(),
      activeDeadlineSeconds: count(1),
      resources,
    }),
    ingress: closed({
      enabled: Type.Boolean(),
      className: name,
      ingest: ingestOutside,
      dashboard: outside,
      claims: outside,
    }),
    gateway: closed({
      enabled: Type.Boolean(),
      parentRefs: things,
      ingest: closed({ hostnames: Type.Array(host), routeByKey: Type.Boolean() }),
      dashboard: closed({ hostnames: Type.Array(host) }),
      claims: closed({ hostnames: Type.Array(host) }),
    }),
    networkPolicy,
    monitoring,
    tests: closed({ cellar: Type.String(), apiKey: secretKey(false) }),
  });
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
}
