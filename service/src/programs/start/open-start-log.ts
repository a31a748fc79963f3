import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import { type Log, openLog } from '#platform/log.ts';
import { openTerminalLog } from '#platform/terminal-log.ts';

type LogSettings = Pick<Config, 'logFormat' | 'logLevel' | 'dataFolder'>;

/** At a terminal a person reads along: 400 lines of JSON would carry the welcome away. */
export const openStartLog = ({ logFormat, logLevel, dataFolder }: LogSettings): Log => {
  const isForPerson = (logFormat ?? (process.stderr.isTTY ? 'text' : 'json')) === 'text';
  if (!isForPerson) return openLog(logLevel, 'start');
  const show = (text: string) => void process.stderr.write(text);
  return openTerminalLog(logLevel, 'start', join(dataFolder, logFile), show);
};

const logFile = 'florin.log';
