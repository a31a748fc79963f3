import { type DestinationStream, pino } from 'pino';
import { build } from './build.ts';
import { maskCardNumbers } from './card-numbers/mask-card-numbers.ts';

/**
 * Structured lines. Only named fields are written: no body, header, secret or personal data, and
 * never a card number from an error's text or stack.
 */
export type Log = {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export const openLog = (
  level: LogLevel,
  program: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log =>
  pino(
    {
      level,
      // Two builds may run at once, and their lines meet in one place.
      base: { program, ...build },
      redact: { paths: ['*.authorization', '*.secret', '*.cookie'], censor: '[hidden]' },
      hooks: { streamWrite: maskCardNumbers },
    },
    destination,
  );

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
