import { Alert, Container } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

/** Warns that the content below is stale. It disappears by itself. */
export function Offline() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Container size="lg" pt="md">
          <Alert color="gray" title="This device is offline">
            Showing the last loaded data. Racks do not depend on this browser.
          </Alert>
        </Container>
      )}
    </div>
  );
}
