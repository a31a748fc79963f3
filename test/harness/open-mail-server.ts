import { type AddressInfo, createServer, type Socket } from 'node:net';

const answers = [
  [/^EHLO/, '250 mail.test'],
  [/^STARTTLS/, '502 not here'],
  [/^DATA$/, '354 go on'],
  [/^QUIT$/, '221 bye'],
  [/^/, '250 ok'],
] as const;

/** As much of RFC 5321 as one mail needs. */
export const openMailServer = async (refuses = false) => {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let data: string[] | null = null;
    const read = (line: string): string => {
      if (data === null) {
        if (line === 'DATA') data = [];
        return `${answerTo(line, refuses)}\r\n`;
      }
      data.push(line);
      if (line !== '.') return '';
      mails.push(data.join('\n'));
      data = null;
      return '250 kept\r\n';
    };
    let rest = '';
    socket.write('220 mail.test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      socket.write(lines.filter(isAnswered).map(read).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    mails,
    url: `smtp://127.0.0.1:${port}`,
    /** On all that wait for an answer. */
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => server.close(),
  };
};

/** Not as from a server that waits for another one. */
const isAnswered = (line: string): boolean => !line.startsWith('RCPT TO:<hang');

const answerTo = (line: string, refuses: boolean): string =>
  refuses && line.startsWith('RCPT')
    ? `550 no such box ${line.slice('RCPT TO:'.length)}`
    : (answers.find(([pattern]) => pattern.test(line))?.[1] ?? '');
