import { Container } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { LoadProblem } from '../display/problems/load-problem.tsx';

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
