import { isIPv6 } from 'node:net';

const groups = 8;
const networkGroups = 4;

/** Whom an address stands for: an IPv4 address, or an IPv6 network of 64 bits, which is one customer's. */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const written = (text: string | undefined) => (text ? text.split(':') : []);
  const [first, last] = [written(head), written(tail)];
  const zeros = Array.from({ length: groups - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, networkGroups).join(':')}::/64`;
};
