import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CallFailure } from './call-failure.ts';

const freshMs = 10_000;
const retriesMax = 2;

/** What was read is fresh for ten seconds. Signed out, every call leads to the sign-in page. */
export const openQueryClient = (signIn: () => void): QueryClient => {
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
