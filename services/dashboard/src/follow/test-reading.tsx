import { Button, Group, NumberInput, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { AppLink } from '../display/app-link.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import { Section } from '../display/blocks.tsx';
import type { FollowSearch } from './follow-search.ts';
import { TestReadingPath } from './test-reading-path.tsx';
import type { SentReading } from './describe-sent.ts';

/** Sends a test reading with a key that the user pastes, and shows its path. The key leaves the page with this component. */
export function TestReading({ cellar, rack = 'test-rack', keg = 'test' }: FollowSearch & { cellar: string }) {
  const [form, setForm] = useState({ apiKey: '', rack, keg, value: 1 });
  const [sent, setSent] = useState<{ result: SentReading; sentAt: number }>();
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const send = useAction(async () => {
    setSent(undefined);
    const body = { ...form, apiKey: form.apiKey.trim() };
    const result = await api.post('/api/v1/cellars/{cellar}/test-readings', {
      params: { path: { cellar } },
      body,
    });
    setSent({ result, sentAt: Date.now() });
  });
  return (
    <>
      <Section
        title="Send a test reading"
        about="It is a real reading: it is counted, drawn in charts and kept as long as every other reading of this cellar. You see its path as it happens."
      >
        <form onSubmit={onSubmit(send.run)}>
          <Stack gap="sm">
            <PasswordInput
              label="API key"
              description="Used for this reading only. It is neither stored nor logged."
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
              maxLength={256}
              value={form.apiKey}
              onChange={({ currentTarget: { value } }) => set({ apiKey: value })}
            />
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
              <TextInput
                label="Rack"
                required
                withAsterisk={false}
                maxLength={256}
                value={form.rack}
                onChange={({ currentTarget: { value } }) => set({ rack: value })}
              />
              <TextInput
                label="Keg"
                required
                withAsterisk={false}
                maxLength={256}
                value={form.keg}
                onChange={({ currentTarget: { value } }) => set({ keg: value })}
              />
              <NumberInput
                label="Value"
                required
                withAsterisk={false}
                value={form.value}
                onChange={(value) => set({ value: Number(value) })}
              />
            </SimpleGrid>
            <Group>
              <Button type="submit" loading={send.isPending}>
                Send test reading
              </Button>
              <Text size="sm" c="dimmed">
                No key at hand?{' '}
                <AppLink to="/cellars/$cellar/keys" params={{ cellar }} inherit underline="always">
                  Create an API key
                </AppLink>
              </Text>
            </Group>
          </Stack>
        </form>
      </Section>
      <Problem error={send.error} what="send the test reading" />
      {sent !== undefined && <TestReadingPath key={sent.sentAt} cellar={cellar} {...sent} />}
      <Text size="sm" c="dimmed">
        To see what is stored about another reading, choose it in{' '}
        <AppLink to="/cellars/$cellar/live" params={{ cellar }} inherit underline="always">
          Live
        </AppLink>{' '}
        or on the page of its rack.
      </Text>
    </>
  );
}
