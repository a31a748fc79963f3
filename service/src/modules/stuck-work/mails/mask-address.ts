/** Enough to recognise an address that one knows: its first letter and its domain. */
export const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  return at > 0 ? `${[...address][0]}…${address.slice(at)}` : '…';
};
