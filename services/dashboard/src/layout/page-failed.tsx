import { Container } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { LoadProblem } from '../display/problems/load-problem.tsx';

export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Container component="main" size="sm" py={96}>
      <LoadProblem what="the page" error={error as Error} retry={retry} />
    </Container>
  );
}
