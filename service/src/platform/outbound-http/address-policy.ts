import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether a connection to this address is allowed. */
export type AddressPolicy = (address: string) => boolean;

// Addresses that are not public hosts: this machine, private and shared networks, metadata,
// documentation.
const closedIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  // A public address by which Azure reaches into a virtual machine.
  ['168.63.129.16', 32],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

// IPv6 is the other way round: only global unicast is open, without what carries something else.
const openIPv6 = ['2000::', 3] as const;
const closedIPv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const closed = new BlockList();
for (const [network, bits] of closedIPv4) closed.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of closedIPv6) closed.addSubnet(network, bits, 'ipv6');
const open = new BlockList();
open.addSubnet(...openIPv6, 'ipv6');

export const loopbackNetworks = ['127.0.0.0/8', '::1/128'] as const;

/** Global addresses, and those of the networks that the operator allows. */
export const addressPolicy = (allowedNetworks: readonly string[]): AddressPolicy => {
  const allowed = new BlockList();
  for (const network of allowedNetworks) {
    const [address = '', bits = ''] = network.split('/');
    allowed.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return (written) => {
    const address = embeddedIPv4(written) ?? written;
    const family = isIP(address);
    if (family === 0) return false;
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (allowed.check(address, type)) return true;
    if (family === 4) return !closed.check(address, type);
    return open.check(address, type) && !closed.check(address, type);
  };
};

/** `::ffff:127.0.0.1`, however it is written, is checked as 127.0.0.1. */
const embeddedIPv4 = (address: string): string | null => {
  if (isIP(address) !== 6) return null;
  const canonical = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return null;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};
