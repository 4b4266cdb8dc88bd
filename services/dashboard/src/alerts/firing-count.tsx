import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { describeExactly } from '../display/describe-number.ts';
import { alertSummaryQuery } from './alerts-queries.ts';

const ButtonLink = createLink(Button<'a'>);

/** How many alerts fire in all cellars, in the top bar. It leads to this cellar, or to the first one with alerts. */
export function FiringCount({ cellar }: { cellar: string | undefined }) {
  const { data } = useQuery(alertSummaryQuery);
  const cellars = data?.cellars ?? [];
  const target = cellars.find((each) => each.cellar === cellar) ?? cellars[0];
  if (data === undefined || target === undefined) return null;
  const count = describeExactly(data.firing);
  const where = cellars.length === 1 ? target.cellar : `${cellars.length} cellars`;
  return (
    <ButtonLink
      component="a"
      to="/cellars/$cellar/alerts"
      params={{ cellar: target.cellar }}
      size="xs"
      color="red"
      variant="light"
      aria-label={`${count} firing: alerts in ${where}`}
    >
      {count} firing
    </ButtonLink>
  );
}
