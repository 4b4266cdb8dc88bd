import { Container, Text, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { usePageTitle } from '../display/use-page-title.ts';

export function PageNotFound() {
  usePageTitle('Not found');
  return (
    <Container component="main" size="sm" py={96}>
      <Title order={1} size="h2" mb="sm">
        There is no page at this address
      </Title>
      <Text>
        <AppLink to="/">See all cellars</AppLink>
      </Text>
    </Container>
  );
}
