import type { ReactNode } from 'react';
import { lostSince } from '../call/connection.ts';
import { useSignal } from '../call/use-signal.ts';
import { Lost } from './lost-server.tsx';

/** The shell stays without the server; what it shows then is marked as old. */
export const ConnectionNotice = (): ReactNode => {
  const since = useSignal(lostSince);
  return <div role="status">{since && <Lost since={since} />}</div>;
};
