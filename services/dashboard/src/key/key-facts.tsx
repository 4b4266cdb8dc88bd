import { Code, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Key } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { Fact } from '../display/blocks.tsx';
import { Moment } from '../display/time/moment.tsx';
import { KeyState } from '../keys/key-state.tsx';
import { keyQuery, USE_REPORTED_MINUTES } from '../keys/key-queries.ts';

/** Everything about a key but the key. */
export function KeyFacts({ apiKey }: { apiKey: Key }) {
  const { cellar, state, displayPrefix, createdAt, createdBy, expiresAt, lastUsedAt } = apiKey;
  const { rack, rackPrefix, scopes, rateLimit, revokedAt, revokedBy, rotatedFrom, rotatedTo, claimCode } =
    apiKey;
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 3, lg: 4 }} spacing="md">
      <Fact name="Status">
        <KeyState state={state} />
      </Fact>
      <Fact name="Key">
        <Code>{displayPrefix}…</Code>
      </Fact>
      <Fact name="Last used">
        <Moment at={lastUsedAt} within={USE_REPORTED_MINUTES} />
      </Fact>
      <Fact name="Created">
        <Moment at={createdAt} />
        {createdBy !== null && ` by ${createdBy}`}
      </Fact>
      {revokedAt === null ? (
        <Fact name="Expires">
          <Moment at={expiresAt} />
        </Fact>
      ) : (
        <Fact name="Revoked">
          <Moment at={revokedAt} />
          {revokedBy !== null && ` by ${revokedBy}`}
        </Fact>
      )}
      <Fact name="Scopes">{scopes.join(', ')}</Fact>
      <Fact name="Racks">{rack ?? (rackPrefix === null ? 'All' : `${rackPrefix}*`)}</Fact>
      <Fact name="Rate limit">
        {rateLimit === null
          ? 'Default'
          : `${describeExactly(rateLimit.perSecond)}/s, burst ${describeExactly(rateLimit.burst)}`}
      </Fact>
      {claimCode !== null && <Fact name="Claimed with">{claimCode.name}</Fact>}
      {rotatedFrom !== null && (
        <Fact name="Replaces">
          <KeyLink cellar={cellar} id={rotatedFrom} />
        </Fact>
      )}
      {rotatedTo !== null && (
        <Fact name="Replaced by">
          <KeyLink cellar={cellar} id={rotatedTo} />
        </Fact>
      )}
    </SimpleGrid>
  );
}

export function KeyLink({ cellar, id }: { cellar: string; id: string }) {
  const { data } = useQuery(keyQuery(cellar, id));
  return (
    <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id }} inherit>
      {data === undefined ? 'Key' : `${data.displayPrefix}…`}
    </AppLink>
  );
}
