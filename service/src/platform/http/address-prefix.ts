import { isIP, isIPv6 } from 'node:net';

/** The network that an address is in, which names no device: 203.0.113.0/24, 2001:db8:1::/48. */
export const addressPrefix = (address: string): string => {
  const text = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  // A proxy may pass on anything.
  if (isIP(text) === 0) return 'unknown';
  if (!isIPv6(text)) return `${text.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = ''] = text.split('::');
  const groups = [...head.split(':').filter((group) => group !== ''), '0', '0', '0'];
  return `${groups.slice(0, 3).join(':')}::/48`;
};
