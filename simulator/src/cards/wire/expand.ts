import type { RenderById } from '../transaction/render-by-id.ts';

type Tree = { [name: string]: unknown };

const expandable = /^(pi|ch|re|cs_test|pm|cus|dp)_/;
const maxDepth = 4;

// expand[]=latest_charge or data.payment_intent: the id there is replaced by what it names.
export const expand = async (
  body: object,
  paths: readonly string[],
  render: RenderById,
): Promise<object> => {
  const tree = structuredClone(body) as Tree;
  for (const path of paths) await expandPath(tree, path.split('.').slice(0, maxDepth), render);
  return tree;
};

const expandPath = async (
  tree: Tree,
  path: readonly string[],
  render: RenderById,
): Promise<void> => {
  const [head = '', ...rest] = path;
  const value = tree[head];
  if (typeof value === 'string' && expandable.test(value))
    tree[head] = (await render(value)) ?? value;
  const inside = tree[head];
  if (rest.length === 0 || typeof inside !== 'object' || inside === null) return;
  const branches = Array.isArray(inside) ? inside : [inside];
  for (const branch of branches) await expandPath(branch as Tree, rest, render);
};
