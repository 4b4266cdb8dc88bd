import { Container, Text, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { usePageTitle } from '../display/use-page-title.ts';

export function PageNotFound() {
  usePageTitle('Page not found');
  return (
    <Container component="main" size="sm" py={96}>
      <Title order={1} size="h2" mb="sm">
        Page not found
      </Title>
      <Text>
        <AppLink to="/">Go to cellars</AppLink>
      </Text>
    </Container>
  );
}
