import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../display/app-link.tsx';
import { Status } from '../display/status.tsx';
import { useOwner } from '../session/roles.tsx';
import { DEAD_LETTERS_RUNBOOK, describeStatus } from './describe-status.ts';
import { pipelineStatusQuery } from './pipeline-query.ts';
import classes from './pipeline-chip.module.css';

/** How far storage is behind, or the worst problem. For owners it leads to the Pipeline page, or to the dead letters. */
export function PipelineChip({ onlyProblems = false }: { onlyProblems?: boolean }) {
  const isOwner = useOwner();
  const { data, error, isPending } = useQuery(pipelineStatusQuery);
  const { kind, words } = describeStatus(data, error === null);
  // On a phone, the bar has space for what needs attention only.
  if (isPending || (onlyProblems && kind === 'ok')) return null;
  const content = <Status kind={kind}>{words}</Status>;
  if (!isOwner) return <span className={classes.chip}>{content}</span>;
  return (
    <AppLink
      to={data?.runbook === DEAD_LETTERS_RUNBOOK ? '/dead-letters' : '/pipeline'}
      className={classes.chip}
      aria-label={`Pipeline: ${words}`}
    >
      {content}
    </AppLink>
  );
}
