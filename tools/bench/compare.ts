import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// `npm run bench compare <folder> <bench> [arguments]`: in turns, an earlier checkout first each time.
const rounds = Number(process.env.ROUNDS ?? 3);
const [folder = '', name = '', ...rest] = process.argv.slice(2);
const earlier = resolve(folder);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** They start the product, of whichever checkout; the others measure the sources that they stand beside. */
const startTheProduct = new Set(['create', 'charges', 'life', 'idle', 'lcp']);
/** Of both checkouts: then both are started at the same time, and their rounds alternate. */
const alternates = [process.cwd(), startTheProduct.has(name) ? process.cwd() : earlier].every(
  (checkout) => {
    const bench = join(checkout, `tools/bench/${name}.ts`);
    return existsSync(bench) && readFileSync(bench, 'utf8').includes('inTurn(');
  },
);

type Run = {
  readonly output: Promise<string>;
  /** False: it has ended. */
  readonly isReady: () => Promise<boolean>;
  readonly takeTurn: () => Promise<void>;
};

const start = (isEarlier: boolean): Run => {
  const isOurs = !isEarlier || startTheProduct.has(name);
  const cwd = isOurs ? process.cwd() : earlier;
  if (!existsSync(join(cwd, `tools/bench/${name}.ts`))) throw new Error(`${cwd} has no ${name}`);
  const channel = alternates ? (['ipc'] as const) : [];
  const child = spawn(process.execPath, ['--import', 'tsx', `tools/bench/${name}.ts`, ...rest], {
    cwd,
    env: { ...process.env, ...(isEarlier && isOurs && { BENCH_CHECKOUT: earlier }) },
    stdio: ['ignore', 'pipe', 'inherit', ...channel],
  });
  const messages = on(child, 'message', { close: ['exit'] });
  return {
    output: textOf(child),
    isReady: async () => !(await messages.next()).done,
    takeTurn: async () => {
      child.send('go');
      await messages.next();
    },
  };
};

const textOf = async (child: ChildProcess): Promise<string> => {
  const ended = once(child, 'exit');
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await ended;
  return text;
};

/** Round by round the other one begins, so that neither always comes after the other. */
const runInTurns = async (): Promise<readonly [string, string]> => {
  const runs = [start(true), start(false)] as const;
  for (let turn = 0; ; turn += 1) {
    const areReady = await Promise.all(runs.map((run) => run.isReady()));
    const ready = runs.filter((_, at) => areReady[at]);
    if (ready.length === 0) break;
    for (const run of turn % 2 === 0 ? ready : ready.reverse()) await run.takeTurn();
  }
  return [await runs[0].output, await runs[1].output];
};

const runBoth = async (): Promise<readonly [string, string]> =>
  alternates ? runInTurns() : [await start(true).output, await start(false).output];

const number = /(?<![\w.])\d+(?:[.,]\d+)*(?![\w.]*\w)/g;

/** Each figure by the text of its line around it, so that it is found again in another run. */
const figuresIn = (output: string): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  let heading = '';
  for (const line of output.split('\n')) {
    if (line.trimEnd().endsWith(':')) heading = `${line.trim()} `;
    let at = 0;
    for (const { 0: text, index } of line.matchAll(number)) {
      const before = line.slice(0, index).split(/[,;(]/).at(-1) ?? '';
      const label = `${before.replace(number, '').trim() || line.replace(number, '').trim()}`;
      at += 1;
      found.set(`${heading}${label} ${at}`, Number(text.replaceAll(',', '')));
    }
  }
  return found;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const pairs: (readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>])[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const [before, now] = await runBoth();
  say(`round ${round}, ${folder}\n${before}\nround ${round}, here\n${now}`);
  pairs.push([figuresIn(before), figuresIn(now)]);
}
say(
  `${name} ${rest.join(' ')}: ${folder} -> here in each of ${rounds} rounds, median of the ratios`,
);
for (const label of pairs[0]?.[1].keys() ?? []) {
  const values = pairs.map(([before, now]) => [before.get(label), now.get(label)] as const);
  if (values.some(([before, now]) => before === undefined || now === undefined)) continue;
  const ratios = values.map(([before = 0, now = 0]) => now / before);
  const shown = values.map(([before, now]) => `${before} -> ${now}`).join(', ');
  if (values.some(([before, now]) => before !== now))
    say(`  ${label.slice(0, 70).padEnd(72)}${median(ratios).toFixed(2).padStart(6)}   ${shown}`);
}
