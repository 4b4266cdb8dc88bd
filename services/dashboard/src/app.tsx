import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useState } from 'react';
import { createQueryClient } from './api/query-client.ts';
import { styleNonce, adaptColours, theme } from './display/theme/theme.ts';
import { createAppRouter } from './router.tsx';
import { signInAgain } from './session/sign-in-again.ts';

export function App() {
  const [{ queryClient, router }] = useState(createParts);
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={adaptColours}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

function createParts() {
  const queryClient = createQueryClient({ onSignedOut: () => signInAgain(router, queryClient) });
  const router = createAppRouter(queryClient);
  return { queryClient, router };
}
