import { pino } from 'pino';

/** Structured lines. Only named fields are written: no body, header, secret or personal datum. */
export type Log = {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export const openLog = (level: LogLevel, program: string): Log =>
  pino(
    {
      level,
      base: { program },
      redact: { paths: ['*.authorization', '*.secret', '*.cookie'], censor: '[hidden]' },
    },
    pino.destination({ dest: 2, sync: false }),
  );

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
