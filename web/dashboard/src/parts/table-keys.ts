import { type RefObject, useEffect } from 'react';

/** j and k go to the next and the previous row. */
export const useTableKeys = (body: RefObject<HTMLTableSectionElement | null>): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const wanted = keys[event.key]?.(body.current);
      if (!wanted) return;
      event.preventDefault();
      wanted.focus();
      wanted.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [body]);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog]') !== null;

const neighbour =
  (step: number) =>
  (body: HTMLElement | null): HTMLElement | null => {
    const links = [...(body?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const row = document.activeElement?.closest('tr');
    const position = links.findIndex((link) => row?.contains(link));
    return links[position + step] ?? (position < 0 ? (links[0] ?? null) : null);
  };

const keys: Readonly<Record<string, (body: HTMLElement | null) => HTMLElement | null>> = {
  j: neighbour(1),
  k: neighbour(-1),
};
