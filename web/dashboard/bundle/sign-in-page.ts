import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { colourVariables, sizeVariables, tokens } from '../src/design/tokens.ts';
import { nonceMark } from './bundle.ts';
import { thinContract } from './thin-contract.ts';

const source = new URL('../src/sign-in/', import.meta.url);

/** The sign-in alone, without the application behind it: its HTML, and its script in one file. */
export const buildSignIn = async (): Promise<{ page: string; name: string; script: string }> => {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'silent',
    plugins: [thinContract()],
    build: {
      write: false,
      target: 'es2022',
      reportCompressedSize: false,
      rollupOptions: { input: fileURLToPath(new URL('sign-in.ts', source)) },
    },
  });
  const [script, ...others] = [built]
    .flat()
    .flatMap((each) => ('output' in each ? each.output : []));
  if (script?.type !== 'chunk' || others.length > 0)
    throw new Error('The sign-in is not one file.');
  const name = script.fileName.replace(/^assets\//, '');
  return { page: await drawPage(name), name, script: script.code };
};

const drawPage = async (script: string): Promise<string> => {
  const [html, css, typeface] = await Promise.all(
    ['sign-in.html', 'sign-in.css', '../design/typeface.css'].map((name) =>
      readFile(new URL(name, source), 'utf8'),
    ),
  );
  const faces = typeface
    ?.replace(/\/\*.*?\*\//g, '')
    .replace('./figtree.woff2', '/dashboard/assets/%font%');
  const style = `${faces}${variables}${css}`.replace(/\s*\n\s*/g, '');
  return (html ?? '')
    .replace('<!-- style -->', `<style nonce="${nonceMark}">${style}</style>`)
    .replace('%script%', script);
};

const rule = (selector: string, values: Readonly<Record<string, string>>): string =>
  `${selector}{${Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;

// Dark where the system is, unless the person has chosen otherwise in the dashboard.
const variables = [
  rule(':root', { ...sizeVariables(), '--main-act': tokens.accentSteps[6], ...colourVariables(0) }),
  `@media (prefers-color-scheme:dark){${rule(':root:not([data-scheme=light])', colourVariables(1))}}`,
  rule(':root[data-scheme=dark]', colourVariables(1)),
].join('');
