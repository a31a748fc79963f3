import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { loadPatiently } from '../call/connection.ts';
import { sessionEnd } from '../call/session.ts';
import { useSignal } from '../call/use-signal.ts';
import { LeavingForm } from './leaving-form.tsx';

const SessionEnded = lazy(async () => ({
  default: (await loadPatiently(() => import('./session-ended.tsx'))).SessionEnded,
}));

/** The page in view, and what may come over any page. */
export const Application = (): ReactNode => (
  <>
    <Outlet />
    <LeavingForm />
    {useSignal(sessionEnd) && (
      <Suspense fallback={<div className="cover" />}>
        <SessionEnded />
      </Suspense>
    )}
  </>
);
