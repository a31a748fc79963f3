import { createHash } from 'node:crypto';
import { accountLimits } from './account-limits.ts';

/** The next page, and marks of those that led to it. */
export type PageCursor = { readonly url: string; readonly seen: readonly string[] };

type List = { readonly base: string; readonly listUrl: URL };

/**
 * Null for a link that must not be followed. The bank's own host only: a link that names another
 * host, as some gateways write, is read at the bank's if it names this very list.
 */
export const followLink = (link: string, from: PageCursor, list: List): PageCursor | null => {
  const url = URL.canParse(link, from.url) ? new URL(link, from.url) : null;
  const own = url && ownAddress(url, list);
  if (!own) return null;
  const seen = [...from.seen, markOf(from.url)];
  if (seen.length >= accountLimits.pages || seen.includes(markOf(own.href))) return null;
  return { url: own.href, seen };
};

const ownAddress = (url: URL, { base, listUrl }: List): URL | null => {
  if (!isUnder(url, base)) {
    if (collapsed(url.pathname) !== listUrl.pathname) return null;
    const own = new URL(listUrl);
    own.search = url.search;
    return own;
  }
  url.hash = '';
  return url;
};

const isUnder = (url: URL, base: string): boolean => {
  const own = new URL(base);
  const hasNoUser = url.username === '' && url.password === '';
  return (
    url.origin === own.origin && hasNoUser && collapsed(url.pathname).startsWith(`${own.pathname}/`)
  );
};

const collapsed = (path: string): string => path.replace(/\/{2,}/g, '/');

const markOf = (url: string): string =>
  createHash('sha256').update(url).digest('base64url').slice(0, 12);

export const writeCursor = (cursor: PageCursor): string => JSON.stringify(cursor);

/** Null if this connector did not write it for this bank. */
export const readCursor = (text: string, base: string): PageCursor | null => {
  if (text.length > accountLimits.cursorLength) return null;
  try {
    const { url, seen } = JSON.parse(text) as Partial<Record<string, unknown>>;
    const isOurs =
      typeof url === 'string' && URL.canParse(url) && isUnder(new URL(url), base) && isMarks(seen);
    return isOurs ? { url, seen } : null;
  } catch {
    return null;
  }
};

const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
