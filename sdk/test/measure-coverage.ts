import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildPrograms, installDart } from './run-dart.ts';

type Coverage = {
  readonly said: string;
  /** By file: lines that ran and all lines with code. */
  readonly files: ReadonlyMap<string, { readonly hit: number; readonly all: number }>;
};

const flags = [
  '--no-dds',
  '--enable-vm-service=0',
  '--disable-dart-dev',
  '--disable-service-auth-codes',
  '--pause-isolates-on-exit',
  '--enable-asserts',
];
const isCore = (uri: string) => uri.startsWith('package:florin_core/');

/** Runs a program to its end, and asks the virtual machine which lines of the core ran. */
export const measureCoverage = async (name: string, args: readonly string[]): Promise<Coverage> => {
  const [program = '', ...first] = await installDart();
  const child = spawn(program, [...first, ...flags, await buildPrograms(), name, ...args]);
  try {
    let said = '';
    const found = new Promise<string>((resolve, reject) => {
      const read = (line: string): void => {
        said += `${line}\n`;
        const [, address] = /(?:service at|listening on) (http:\S+)/.exec(line) ?? [];
        if (address) resolve(address);
      };
      createInterface({ input: child.stdout }).on('line', read);
      createInterface({ input: child.stderr }).on('line', read);
      child.on('close', () => reject(new Error(said)));
    });
    const service = openService(await found);
    const isolateId = await service.pausedAtExit();
    const wanted = { isolateId, reports: '[Coverage]', reportLines: 'true' };
    const report = await service.call<Report>('getSourceReport', wanted);
    return { said, files: filesOf(report) };
  } finally {
    child.kill('SIGKILL');
  }
};

type Report = {
  readonly scripts: readonly { readonly uri: string }[];
  readonly ranges: readonly {
    readonly scriptIndex: number;
    readonly coverage?: { readonly hits: readonly number[]; readonly misses: readonly number[] };
  }[];
};

const filesOf = ({ scripts, ranges }: Report): Coverage['files'] => {
  const hits = new Map<string, Map<number, boolean>>();
  for (const { scriptIndex, coverage } of ranges) {
    const uri = scripts[scriptIndex]?.uri ?? '';
    if (!coverage || !isCore(uri)) continue;
    const lines = hits.get(uri) ?? new Map<number, boolean>();
    for (const line of coverage.misses) lines.set(line, lines.get(line) ?? false);
    for (const line of coverage.hits) lines.set(line, true);
    hits.set(uri, lines);
  }
  return new Map(
    [...hits].map(([uri, lines]) => [
      uri,
      { hit: [...lines.values()].filter(Boolean).length, all: lines.size },
    ]),
  );
};

type Isolate = { readonly id: string; readonly pauseEvent?: { readonly kind: string } };

const openService = (address: string) => {
  const call = async <Answer>(method: string, query: Record<string, string> = {}) => {
    const reply = await fetch(`${address}${method}?${new URLSearchParams(query)}`);
    const { result, error } = (await reply.json()) as { result: Answer; error?: object };
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  /** Asked again and again: an isolate says nothing of its end to who comes late. */
  const pausedAtExit = async (): Promise<string> => {
    const { isolates } = await call<{ readonly isolates: readonly Isolate[] }>('getVM');
    for (const { id } of isolates) {
      const isolate = await call<Isolate>('getIsolate', { isolateId: id });
      if (isolate.pauseEvent?.kind === 'PauseExit') return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    return pausedAtExit();
  };
  return { call, pausedAtExit };
};
