import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

export const presentedCertificate = (request: IncomingMessage): string | undefined =>
  certificateOf(request)?.toString();

// The subject as it was registered; the order of its parts does not matter.
export const certificateIsOf = (request: IncomingMessage, subject: string): boolean => {
  const presented = certificateOf(request)?.subject.split('\n') ?? [];
  const expected = subject.split(/,\s*/);
  return presented.length === expected.length && expected.every((part) => presented.includes(part));
};

const certificateOf = (request: IncomingMessage) => {
  const socket = request.socket as Partial<TLSSocket>;
  if (!socket.authorized || !socket.getPeerX509Certificate) return undefined;
  return socket.getPeerX509Certificate();
};
