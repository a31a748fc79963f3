import { type RefObject, useEffect, useRef } from 'react';

// A dialog that closes gives the focus back by itself after 10 ms; what is left to do comes then.
const afterMs = 30;

/** The main part of a page takes the focus: the next Tab goes to the first thing in it. */
export const focusPage = (): void => {
  document.querySelector<HTMLElement>('#page')?.focus({ preventScroll: true });
};

/**
 * When a dialog closes, the focus is where it was before, or on the page where that is gone with
 * what the act did. Otherwise a person without a mouse starts again from the top.
 */
export const useFocusBack = (isOpen: boolean): void => {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (before instanceof HTMLElement && before.isConnected && before !== document.body)
          before.focus({ preventScroll: true });
        else focusPage();
      }, afterMs);
    };
  }, [isOpen]);
};

/** A field that comes later than its page, and is what a person types into next. */
export const useFocusOnShow = (): RefObject<HTMLInputElement | null> => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
};
