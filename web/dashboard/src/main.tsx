import './design/layers.css';
import './design/typeface.css';
import '@mantine/core/styles.layer.css';
import './design/global.css';
import './design/boxes.css';
import { getMe } from '@florin/contract/dashboard/index.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CallFailure } from './call/call-operation.ts';
import { lostSince, watchLine } from './call/connection.ts';
import { goToSignIn, sessionEnd } from './call/session.ts';
import { watchTyping } from './call/typed.ts';
import { watchUse } from './call/watch-use.ts';
import { theme, themeVariables } from './design/theme.ts';
import { router } from './router.ts';

/** What was read is fresh for ten seconds. A call is made offline too: its failure is what is said. */
const openQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: freshMs,
        retry: (count, error) =>
          error instanceof CallFailure && error.mayPass && count < retriesMax,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// What stops the page behind a dialog from scrolling reads the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const client = openQueryClient();

watchLine();
watchTyping();
watchUse();
// What is in view stays, and the person signs in over it. Before anything is in view there is a page for it.
sessionEnd.listen(() => {
  if (sessionEnd.read() && !client.getQueryData([getMe.id, null, null, {}])) goToSignIn();
});
// What was read before the server was lost is read again.
lostSince.listen(() => {
  if (lostSince.read() === null) void client.invalidateQueries();
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
