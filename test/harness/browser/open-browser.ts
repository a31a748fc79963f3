import { type Browser, chromium } from 'playwright-core';
import { unpackChromium } from './unpack-chromium.ts';

// The package's own arguments hold --single-process, where closing a page ends the browser.
// Without --disable-gpu a process of its own imitates one: six pages took 8.0 s of CPU instead of 6.6.
// A page lives for seconds: optimising its code took an eighth of the CPU of the pages of developers.
const launchArguments = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-gpu',
  '--js-flags=--no-opt',
];

/** A browser of the test file's own. Close it in `afterAll`. */
export const openBrowser = async (more: readonly string[] = []): Promise<Browser> => {
  const hasPackaged = process.platform === 'linux' && process.arch === 'x64';
  if (!hasPackaged) return chromium.launch({ channel: 'chrome', args: [...more] });
  const { executablePath, environment } = await unpackChromium();
  const env = { ...process.env, ...environment } as Record<string, string>;
  return chromium.launch({ executablePath, args: [...launchArguments, ...more], env });
};
