/** What a topic says about its readings. */
export type TopicFields = Partial<Record<'cellar' | 'rack' | 'keg', string>>;

const PLACEHOLDERS = ['cellar', 'rack', 'keg'] as const;
const PLACEHOLDER = /\{(cellar|rack|keg)\}/g;

/** Returns why a template such as `{cellar}/{rack}/{keg}` cannot be used, or undefined. */
export function templateProblem(template: string): string | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name);
  if (!names.includes('rack')) return 'has no {rack}';
  if (new Set(names).size < names.length) return 'has a placeholder twice';
  if (/[{}]/.test(template.replaceAll(PLACEHOLDER, '')))
    return `has a placeholder other than ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`;
  return template.split('/').some((level) => level !== '+' && level.includes('+')) || template.includes('#')
    ? 'may have + only as a whole level, and no #'
    : undefined;
}

/** Returns a function that finds the fields in a topic, or undefined if no template matches. */
export function createMatchTopic(templates: readonly string[]) {
  const patterns = templates.map((template) => {
    const levels = template.split('/').map((level) => (level === '+' ? '[^/]+' : levelPattern(level)));
    return new RegExp(`^${levels.join('/')}$`, 'u');
  });
  return (topic: string): TopicFields | undefined => {
    for (const pattern of patterns) {
      const match = pattern.exec(topic);
      if (match !== null) return { ...match.groups };
    }
    return undefined;
  };
}

function levelPattern(level: string): string {
  return level
    .split(PLACEHOLDER)
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part}>[^/]+)` : part.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&'),
    )
    .join('');
}
