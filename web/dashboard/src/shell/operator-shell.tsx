import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../call/use-me.ts';
import { MissingPage } from '../pages/missing-page.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { OperatorMenu } from './operator-menu.tsx';
import { ShellFrame } from './shell-frame.tsx';

/** The frame of every page of the operator. To others there is nothing at these addresses. */
export const OperatorShell = (): ReactNode => {
  const { data: me, error, refetch } = useMe();
  if (error && !me && !error.isSignedOut)
    return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!me) return null;
  if (!me.isOperator) return <MissingPage />;
  return (
    <ShellFrame environment={null} menu={(close) => <OperatorMenu me={me} onFollow={close} />}>
      <Outlet />
    </ShellFrame>
  );
};
