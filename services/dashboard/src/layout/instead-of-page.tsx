import { Container, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { AppLink } from '../display/app-link.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';

/** Instead of a page that has no frame. */
export function PageFailed(props: ErrorComponentProps) {
  return (
    <Container component="main" size="sm" py={96}>
      <PartFailed {...props} />
    </Container>
  );
}

/** Instead of a page, within the frame. */
export function PartFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return <LoadProblem what="the page" error={error as Error} retry={retry} isPage />;
}

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
