import { Container, Text, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { usePageTitle } from '../display/use-page-title.ts';

/** Instead of a page that has no frame. */
export function PageNotFound() {
  return (
    <Container component="main" size="sm" py={96}>
      <PartNotFound />
    </Container>
  );
}

/** Instead of a page, within the frame. */
export function PartNotFound() {
  usePageTitle('Page not found');
  return (
    <>
      <Title order={1} size="h2" mb="sm">
        Page not found
      </Title>
      <Text>
        <AppLink to="/">All cellars</AppLink>
      </Text>
    </>
  );
}
