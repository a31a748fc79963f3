// Loaded into the product before it starts, of any checkout: counts what does not depend on the machine.
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const counts = { signatures: 0, verifications: 0, databaseRounds: 0, databaseBytes: 0, calls: {} };

const counting = (owner, method, name) => {
  const original = owner[method];
  owner[method] = function (...given) {
    counts[name] += 1;
    return original.apply(this, given);
  };
};

const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle);
const isOfKeyPair = (algorithm) => /^(RSA|ECDSA|Ed)/i.test(algorithm?.name ?? algorithm);
for (const [method, name] of [
  ['sign', 'signatures'],
  ['verify', 'verifications'],
]) {
  const original = subtle[method];
  subtle[method] = function (algorithm, ...rest) {
    if (isOfKeyPair(algorithm)) counts[name] += 1;
    return original.call(this, algorithm, ...rest);
  };
  counting(crypto, method, name);
}
syncBuiltinESMExports();

// A round: something is written to the database after all that came before was answered. Every server
// of a benchmark listens on a socket of the file system.
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  // It puts its own write in place again.
  const connected = connect.apply(this, given);
  const [to] = given.flat();
  if (typeof to === 'string' || to?.path) countRounds(this);
  return connected;
};

const countRounds = (socket) => {
  const { write } = socket;
  let answeredBytes = -1;
  socket.write = function (data, ...rest) {
    if (this.bytesRead !== answeredBytes) counts.databaseRounds += 1;
    answeredBytes = this.bytesRead;
    counts.databaseBytes += data.length;
    return write.call(this, data, ...rest);
  };
};

const id = /[0-9a-f-]{20,}|[\w-]*\d[\w-]{6,}/gi;
subscribe('undici:request:create', ({ request }) => {
  const name = `${request.method} ${String(request.path).split('?')[0].replaceAll(id, '…')}`;
  counts.calls[name] = (counts.calls[name] ?? 0) + 1;
});

process.on('message', () => process.send?.(counts));
process.channel?.unref();
