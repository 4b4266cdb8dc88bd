import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

/** Says why the content below does not update. It disappears by itself. */
export function Offline() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="gray" mb="md" title="This device is offline">
          Showing the data loaded before. It updates when the connection is back.
        </Alert>
      )}
    </div>
  );
}
