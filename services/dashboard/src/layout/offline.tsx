import { Alert, Container } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

/** Tells that what stands below is not of now. It goes away by itself. */
export function Offline() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Container size="lg" pt="md">
          <Alert color="gray" title="This device is offline">
            You see what was loaded before. Your racks do not need this page: their readings are stored all
            the same.
          </Alert>
        </Container>
      )}
    </div>
  );
}
