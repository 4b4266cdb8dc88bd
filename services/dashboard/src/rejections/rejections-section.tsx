import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../display/blocks.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import { MOST_KINDS, rejectionsQuery } from './rejections-queries.ts';
import type { RejectionFilter } from './rejections-queries.ts';
import { RejectionsTable } from './rejections-table.tsx';

export interface RejectionsSectionProps {
  cellar: string;
  range: RangeName;
  /** @default all keys and racks */
  filter?: RejectionFilter;
  /** @default 'Rejected readings' */
  title?: string;
  /** Heading level of the title. */
  order?: 2 | 3;
}

/** Is anything rejected, and why? */
export function RejectionsSection(props: RejectionsSectionProps) {
  const { cellar, range, filter, title = 'Rejected readings', order = 2 } = props;
  const { data, error, refetch } = useQuery(rejectionsQuery(cellar, range, filter));
  return (
    <Part title={title} order={order}>
      <div>
        {error !== null && data === undefined ? (
          <LoadProblem what="the rejected readings" error={error} retry={() => void refetch()} />
        ) : data?.rejections.length === 0 ? (
          <Text c="dimmed">No rejected readings in the {RANGES[range].label.toLowerCase()}.</Text>
        ) : (
          <RejectionsTable cellar={cellar} rejections={data?.rejections} />
        )}
      </div>
      {data?.rejections.length === MOST_KINDS && (
        <Text size="sm" c="dimmed">
          Showing the {MOST_KINDS} most recent reasons.
        </Text>
      )}
    </Part>
  );
}
