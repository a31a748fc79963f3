export type Params = {
  readonly [name: string]: Param;
};
export type Param = string | readonly Param[] | Params;

type Branch = {
  [name: string]: Branch | string;
};

const maxDepth = 6;
const maxParameters = 1_000;

// a[b][0][c]=d, as Stripe's clients write nested parameters.
export const parseForm = (text: string): Params => {
  const root: Branch = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > maxParameters) break;
    put(root, pathOf(name), value);
  }
  return toParam(root) as Params;
};

const pathOf = (name: string): readonly string[] => {
  const [head = ''] = /^[^[]*/.exec(name) ?? [];
  const inside = [...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)];
  return [head, ...inside.map((match) => match[1] ?? '')].slice(0, maxDepth);
};

const put = (root: Branch, path: readonly string[], value: string): void => {
  let branch = root;
  for (const part of path.slice(0, -1)) {
    const next = branch[part];
    const deeper: Branch = typeof next === 'object' ? next : Object.create(null);
    branch[part] = deeper;
    branch = deeper;
  }
  const last = path.at(-1) ?? '';
  branch[last === '' ? String(Object.keys(branch).length) : last] = value;
};

const toParam = (branch: Branch | string): Param => {
  if (typeof branch === 'string') return branch;
  const names = Object.keys(branch);
  const values = names.map((name) => toParam(branch[name] ?? ''));
  if (names.length > 0 && names.every((name, index) => name === String(index))) return values;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
};
