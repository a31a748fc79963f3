import type { DrawerProps, ModalProps } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef } from 'react';

// Most pages are read without one. It comes when the page is there: the server may be gone when it is wanted.
const load = () => import('./dialog-code.ts');
const Modal = lazy(async () => ({ default: (await load()).Modal }));
const Drawer = lazy(async () => ({ default: (await load()).Drawer }));

const settledMs = 3_000;
setTimeout(() => void load().catch(() => undefined), settledMs);

/** Over the page, until it is closed. */
export const Dialog = (props: ModalProps): ReactNode =>
  useWasOpened(props.opened) && (
    <Suspense>
      <Modal {...props} />
    </Suspense>
  );

/** The same from the side. */
export const SideDialog = (props: DrawerProps): ReactNode =>
  useWasOpened(props.opened) && (
    <Suspense>
      <Drawer {...props} />
    </Suspense>
  );

/** From then on it stays, so that it can be seen to close. */
const useWasOpened = (isOpen: boolean): boolean => {
  const was = useRef(false);
  was.current ||= isOpen;
  return was.current;
};
