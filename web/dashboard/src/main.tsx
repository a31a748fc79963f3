import './design/layers.css';
import '@mantine/core/styles.layer.css';
import './design/global.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CallFailure } from './call/call-operation.ts';
import { theme, themeVariables } from './design/theme.ts';
import { router } from './router.ts';

/** What was read is fresh for ten seconds. Signed out, every call leads to the sign-in page. */
const openQueryClient = (signIn: () => void): QueryClient => {
  const onError = (error: Error): void => {
    if (error instanceof CallFailure && error.isSignedOut) signIn();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (count, error) =>
          error instanceof CallFailure && error.mayPass && count < retriesMax,
      },
      mutations: { retry: false },
    },
  });
};

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// What stops the page behind a dialog from scrolling reads the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const client = openQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href } });
});

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={themeVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );

const freshMs = 10_000;
const retriesMax = 2;
