import { expect, test } from 'vitest';
import { isLocalVisit, type Visit } from './is-local-visit.ts';

const local: Visit = {
  headers: { host: '127.0.0.1:3000' },
  remoteAddress: '127.0.0.1',
  listeningAddress: '127.0.0.1',
  publicUrl: 'http://127.0.0.1:3000',
};

test.each<[boolean, string, Partial<Visit>]>([
  [true, 'from this machine', {}],
  [true, 'by name', { headers: { host: 'localhost:3000' } }],
  [
    true,
    'by IPv6',
    { headers: { host: '[::1]:3000' }, remoteAddress: '::1', listeningAddress: '::1' },
  ],
  [true, 'by IPv4 in IPv6', { remoteAddress: '::ffff:127.0.0.1' }],
  [false, 'from the network', { remoteAddress: '192.168.1.7' }],
  [false, 'from an address that begins alike', { remoteAddress: '12.7.0.1' }],
  [false, 'while it listens on every address', { listeningAddress: '0.0.0.0' }],
  [false, 'while it listens on every IPv6 address', { listeningAddress: '::' }],
  [false, 'while it does not listen', { listeningAddress: undefined }],
  [false, 'from a lost connection', { remoteAddress: undefined }],
  [false, 'with a rebound name', { headers: { host: 'rebound.example:3000' } }],
  [false, 'with a name that begins like loopback', { headers: { host: 'localhost.evil.example' } }],
  [
    false,
    'with an address that begins like loopback',
    { headers: { host: '127.0.0.1.evil.example' } },
  ],
  [false, 'without Host', { headers: {} }],
  [false, 'through a proxy', { headers: { host: '127.0.0.1', 'x-forwarded-for': '203.0.113.9' } }],
  [false, 'through a silent proxy', { publicUrl: 'https://pay.example.com' }],
])('%s: %s', (expected, _, changes) => {
  expect(isLocalVisit({ ...local, ...changes })).toBe(expected);
});
