import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Route } from '../../service/src/platform/http/route.ts';

const modules = new URL('../../service/src/modules/', import.meta.url);

/** The lists of routes that serve operations; pages and files are no operations. */
const routeLists = [
  ...['merchantRoutes', 'operatorRoutes', 'sandboxRoutes', 'sdkRoutes'],
  ...['personRoutes', 'memberRoutes', 'visitorRoutes'],
];

/** In place of every tool: building routes does not use them. */
const anyTools: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : anyTools),
  apply: () => anyTools,
});

/** Every route of every module, with handlers that work with nothing. */
export const servedRoutes = async (): Promise<readonly Route[]> => {
  const names = await readdir(fileURLToPath(modules), { recursive: true });
  const found = await Promise.all(
    names.filter((name) => /(?<!\.test)\.ts$/.test(name)).map(routesIn),
  );
  return found.flat().filter((each) => typeof each?.operation?.id === 'string');
};

const routesIn = async (name: string): Promise<readonly Route[]> => {
  const file = new URL(name, modules);
  const text = await readFile(file, 'utf8');
  const lists = routeLists.filter((list) => text.includes(`export const ${list} =`));
  if (lists.length === 0) return [];
  const exported: Record<string, (tools: unknown) => readonly Route[]> = await import(file.href);
  return lists.flatMap((list) => exported[list]?.(anyTools) ?? []);
};
