import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Route } from '../../service/src/platform/http/route.ts';

const modules = new URL('../../service/src/modules/', import.meta.url);

/** Exports of a `*-routes.ts` that serve operations; pages and files are no operations. */
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
  const files = names.filter((name) => name.endsWith('-routes.ts'));
  const found = await Promise.all(
    files.map(async (name) => {
      const exported: Record<string, unknown> = await import(new URL(name, modules).href);
      return routeLists.flatMap((name) => {
        const make = exported[name];
        return typeof make === 'function' ? make(anyTools) : [];
      });
    }),
  );
  return found.flat().filter((each) => typeof each?.operation?.id === 'string');
};
