import { renameSync, statSync } from 'node:fs';
import { pino } from 'pino';
import { type Log, type LogLevel, openLog } from './log.ts';

const fileBytesMax = 10_000_000;
const shownCharacters = 300;

/** A person reads warnings and errors as sentences; every line is kept as JSON in a file. */
export const openTerminalLog = (
  level: LogLevel,
  program: string,
  file: string,
  show: (text: string) => void,
): Log => {
  const keep = openBoundedFile(file);
  return openLog(level, program, {
    write: (line) => {
      keep(line);
      const sentence = asSentence(line);
      if (sentence !== null) show(`${sentence}\n`);
    },
  });
};

const warnLevel = 40;
const errorLevel = 50;
const ofEveryLine = new Set(['level', 'time', 'program', 'version', 'commit', 'msg', 'stack']);

const asSentence = (line: string): string | null => {
  const { level, time, msg, ...rest } = JSON.parse(line);
  if (level < warnLevel) return null;
  const facts = Object.entries(rest)
    .filter(([name, value]) => !ofEveryLine.has(name) && typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`);
  const word = level < errorLevel ? 'warning' : 'error';
  const said = [msg, ...(facts.length > 0 ? [`(${facts.join(', ')})`] : [])].join(' ');
  const at = new Date(time).toISOString().slice('2026-01-01T'.length, '2026-01-01T00:00:00'.length);
  // A terminal obeys control characters, and an error may quote what somebody sent.
  return `${at} ${word}: ${said}`.replace(/\p{Cc}+/gu, ' ').slice(0, shownCharacters);
};

/** The file and the one before it: together they stay below twice the limit. */
const openBoundedFile = (file: string): ((line: string) => void) => {
  let bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const target = pino.destination({ dest: file, append: true, sync: true, mode: 0o600 });
  return (line) => {
    if (bytes > fileBytesMax) {
      renameSync(file, `${file}.1`);
      target.reopen();
      bytes = 0;
    }
    bytes += Buffer.byteLength(line);
    target.write(line);
  };
};
