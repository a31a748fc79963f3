import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LeavingForm } from './leaving-form.tsx';
import { SessionEnded } from './session-ended.tsx';

/** The page in view, and what may come over any page. */
export const Application = (): ReactNode => (
  <>
    <Outlet />
    <LeavingForm />
    <SessionEnded />
  </>
);
