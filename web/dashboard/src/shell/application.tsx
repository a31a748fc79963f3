import { getMe } from '@florin/contract/dashboard/index.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { loadPatiently } from '../call/connection.ts';
import { sessionEnd } from '../call/session.ts';
import { isHalfFilled } from '../call/typed.ts';
import { useSignal } from '../call/use-signal.ts';
import { LeavingForm } from './leaving-form.tsx';

const SessionEnded = lazy(async () => ({
  default: (await loadPatiently(() => import('./session-ended.tsx'))).SessionEnded,
}));

const keptMs = 10 * 60_000;

/**
 * What was read leaves the page when the session ends, and the memory but for who it was. Beside a form that
 * is half filled it stays for ten minutes, under the dialog.
 */
const useForgotten = (isEnded: boolean): boolean => {
  const client = useQueryClient();
  const [isForgotten, setForgotten] = useState(false);
  useEffect(() => {
    if (!isEnded) return setForgotten(false);
    const timer = setTimeout(() => setForgotten(true), isHalfFilled() ? keptMs : 0);
    return () => clearTimeout(timer);
  }, [isEnded]);
  useEffect(() => {
    if (isForgotten) client.removeQueries({ predicate: ({ queryKey: [id] }) => id !== getMe.id });
  }, [client, isForgotten]);
  return isForgotten;
};

/** The page in view, and what may come over any page. */
export const Application = (): ReactNode => {
  const isEnded = useSignal(sessionEnd);
  const isForgotten = useForgotten(isEnded);
  return (
    <>
      {!isForgotten && <Outlet />}
      <LeavingForm />
      {isEnded && (
        <Suspense fallback={<div className="cover" />}>
          <SessionEnded isForgotten={isForgotten} />
        </Suspense>
      )}
    </>
  );
};
