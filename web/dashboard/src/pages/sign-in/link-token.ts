import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';

/** Behind the `#`, which no server, log or other site is sent. It stays while the page is left. */
export const useLinkToken = (): string => {
  const { hash } = useLocation();
  const [token, take] = useState(hash);
  if (hash !== '' && hash !== token) take(hash);
  return token;
};
