/** Null for an id that could name another address. */
export const accountPath = (accountId: string, part: string): string | null =>
  isAccountId(accountId) ? `/accounts/${encodeURIComponent(accountId)}/${part}` : null;

export const isAccountId = (text: string): boolean =>
  /^[\x21-\x7e]{1,40}$/.test(text) && !/^\.+$/.test(text);
