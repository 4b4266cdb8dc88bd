import type { KubernetesObject } from './chart/rendered.ts';

interface SecurityContext {
  runAsNonRoot?: boolean;
  runAsUser?: number;
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  readOnlyRootFilesystem?: boolean;
  capabilities?: { drop?: string[]; add?: string[] };
  seccompProfile?: { type: string };
}

interface Container {
  name: string;
  image: string;
  securityContext?: SecurityContext;
  ports?: { name?: string; hostPort?: number }[];
  env?: { name: string }[];
  resources?: Partial<Record<'requests' | 'limits', { cpu?: string; memory?: string }>>;
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
}

interface PodSpec {
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  automountServiceAccountToken?: boolean;
  securityContext?: SecurityContext;
  initContainers?: Container[];
  containers: Container[];
  volumes?: Record<string, unknown>[];
}

export interface Pod {
  name: string;
  kind: string;
  labels: Record<string, string>;
  spec: PodSpec;
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: PodSpec;
}

/** The pods that objects are or make. */
export function podsOf(objects: readonly KubernetesObject[]): Pod[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const { name, labels = {} } = metadata;
    if (kind === 'Pod') return [{ name, kind, labels, spec: spec as unknown as PodSpec }];
    const template = spec?.template as PodTemplate | undefined;
    return template === undefined
      ? []
      : [{ name, kind, labels: template.metadata.labels, spec: template.spec }];
  });
}

/** Kinds of volumes that the Pod Security Standard "restricted" allows. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** What every pod must be: the Pod Security Standard "restricted", and what the scheduler and an operator rely on. */
export function podProblems({ name, kind, spec }: Pod): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, text: string): void => {
    if (!holds) problems.push(`${kind} ${name}: ${text}`);
  };
  demand(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, 'it shares a namespace with its node');
  demand(spec.automountServiceAccountToken === false, 'it gets a token of the cluster');
  for (const volume of spec.volumes ?? []) {
    const [type = ''] = Object.keys(volume).filter((key) => key !== 'name');
    demand(VOLUMES.includes(type), `a volume is a ${type}`);
  }
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const own = { ...spec.securityContext, ...container.securityContext };
    demand(own.runAsNonRoot === true && own.runAsUser !== 0, 'it may run as root');
    demand(own.privileged !== true, 'it is privileged');
    demand(own.allowPrivilegeEscalation === false, 'it may gain rights');
    demand(own.readOnlyRootFilesystem === true, 'it may write to its file system');
    demand(own.seccompProfile?.type === 'RuntimeDefault', 'it may make any system call');
    demand(
      own.capabilities?.drop?.includes('ALL') === true && own.capabilities.add === undefined,
      'it has capabilities',
    );
    demand(
      (container.ports ?? []).every(({ hostPort }) => hostPort === undefined),
      'it has a port of its node',
    );
    demand(
      /@sha256:|:(?!latest$)[^/:]+$/.test(container.image),
      `nobody knows which version ${container.image} is`,
    );

    const { requests, limits } = container.resources ?? {};
    demand(
      requests?.cpu !== undefined && requests.memory !== undefined,
      'the scheduler does not know what it needs',
    );
    demand(
      limits?.memory !== undefined && limits.memory === requests?.memory,
      'its memory is not what was reserved',
    );

    const names = (container.env ?? []).map((variable) => variable.name);
    demand(new Set(names).size === names.length, 'a variable is given twice');
    if (kind === 'Deployment') {
      const { startupProbe, livenessProbe, readinessProbe } = container;
      demand(
        startupProbe !== undefined && livenessProbe !== undefined && readinessProbe !== undefined,
        'a probe is missing',
      );
    }
  }
  return problems;
}

/** Services that lead to a port that none of their pods has. */
export function lostPorts(objects: readonly KubernetesObject[]): string[] {
  const pods = podsOf(objects);
  return objects.flatMap(({ kind, metadata, spec }) => {
    const selector = spec?.['selector'] as Record<string, string> | undefined;
    if (kind !== 'Service' || selector === undefined) return [];
    const ports = pods
      .filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value))
      .flatMap((pod) => pod.spec.containers)
      .flatMap((container) => container.ports ?? [])
      .map(({ name }) => name);
    return (spec?.['ports'] as { targetPort: string }[])
      .filter(({ targetPort }) => !ports.includes(targetPort))
      .map(({ targetPort }) => `Service ${metadata.name}: ${targetPort}`);
  });
}

/** Pods that only the policy for all of them selects, so that they reach nobody. */
export function unconnectedPods(objects: readonly KubernetesObject[]): string[] {
  const selectors = objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => (spec?.['podSelector'] as { matchLabels: Record<string, string> }).matchLabels);
  return podsOf(objects)
    .filter(
      ({ labels }) =>
        selectors.filter((selector) =>
          Object.entries(selector).every(([key, value]) => labels[key] === value),
        ).length < 2,
    )
    .map(({ name }) => name);
}
