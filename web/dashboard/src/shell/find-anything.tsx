import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { loadPatiently } from '../call/connection.ts';
import { Icon } from '../design/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useIsNarrow } from '../parts/filter-bar.tsx';
import { useFocusBack } from '../parts/focus-page.ts';
import classes from './find-anything.module.css';

const Finder = lazy(async () => ({
  default: (await loadPatiently(() => import('./finder.tsx'))).Finder,
}));

const Keys = lazy(async () => ({
  default: (await loadPatiently(() => import('./keys.tsx'))).Keys,
}));

/** One search for everything, from every page: by Ctrl K or by its field (DASHBOARD-51). */
export const FindAnything = (): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [hasKeys, keys] = useDisclosure(false);
  useFocusBack(isOpen || hasKeys);
  const isNarrow = useIsNarrow();
  // Until the field is there, what is typed is kept for it.
  const typed = useRef('');
  useEffect(() => {
    typed.current = '';
    if (!isOpen) return;
    const keep = ({ key, target }: globalThis.KeyboardEvent): void => {
      if (key.length === 1 && !(target instanceof HTMLInputElement)) typed.current += key;
    };
    document.addEventListener('keydown', keep);
    return () => document.removeEventListener('keydown', keep);
  }, [isOpen]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      const { key, altKey, target } = event;
      const isControl = event.ctrlKey || event.metaKey;
      const act = isControl ? key === 'k' && open : { '/': toField(open), '?': keys.open }[key];
      if (!act || altKey || (!isControl && isTyping(target))) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [open, keys.open]);
  return (
    <>
      <UnstyledButton
        className={classes.opener ?? ''}
        onClick={open}
        aria-label="Search everything"
        aria-keyshortcuts="Control+K"
      >
        <Icon name="search" size={16} />
        <span>Search everything</span>
        <Kbd size="xs" aria-hidden="true" />
      </UnstyledButton>
      <Dialog
        opened={isOpen}
        onClose={close}
        title="Search everything"
        size="lg"
        // On a phone it is the whole screen, with the field at its top and Cancel beside it.
        fullScreen={isNarrow}
        classNames={{ header: classes.above ?? '' }}
        // Of a keyboard it is Escape, as its foot says.
        withCloseButton={!isNarrow && matchMedia('(hover: none)').matches}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Suspense>
          <Finder typed={typed} onFollow={close} />
        </Suspense>
      </Dialog>
      <Dialog
        opened={hasKeys}
        onClose={keys.close}
        title="Keyboard shortcuts"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Suspense>
          <Keys />
        </Suspense>
      </Dialog>
    </>
  );
};

/** The search of the page; of one without any, the search for everything. */
const toField = (otherwise: () => void) => (): void => {
  const field = document.querySelector<HTMLElement>('main [type=search]');
  if (field) field.focus();
  else otherwise();
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog]') !== null;
