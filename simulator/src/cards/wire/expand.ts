import { invalid } from '../rules/api-error.ts';
import type { RenderById } from '../transaction/render-by-id.ts';
import { expandableIn, listedIn } from './expandable-in.ts';

type Tree = { [name: string]: unknown };

const ids = /^(pi|ch|re|cs_test|pm|cus|dp)_/;
const maxDepth = 4;

// expand[]=latest_charge or data.payment_intent: that id is replaced by its object.
export const expand = async (
  body: object,
  paths: readonly string[],
  render: RenderById,
): Promise<object> => {
  const tree = structuredClone(body) as Tree;
  if (isPlainError(tree)) return tree;
  for (const path of paths) {
    requireExpandable(tree, path);
    await expandPath(tree, path.split('.'), render);
  }
  return tree;
};

// An outage or a refused key names no object: the error stands as it is.
const isPlainError = ({ error }: Tree): boolean =>
  error !== undefined && (error as Tree).payment_intent === undefined;

const requireExpandable = (body: Tree, path: string): void => {
  const names = path.split('.');
  if (names.length > maxDepth)
    throw invalid(`You cannot expand more than ${maxDepth} levels of a property.`, 'expand');
  const shown = shownBy(body);
  const listed = listedIn(shown);
  const beginsWell = listed === null || (names[0] === 'data' && names.length > 1);
  const inObject = listed === null ? names : names.slice(1);
  if (!beginsWell || !isExpandable(listed ?? String(shown.object), inObject))
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
};

// An error shows the payment that it is about.
const shownBy = (body: Tree): Tree => {
  const { payment_intent: intent } = (body.error ?? {}) as Tree;
  return (intent as Tree | undefined) ?? body;
};

const isExpandable = (object: string, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return true;
  const inside = expandableIn(object, name);
  return inside !== null && isExpandable(inside, rest);
};

const expandPath = async (
  tree: Tree,
  path: readonly string[],
  render: RenderById,
): Promise<void> => {
  const [head = '', ...rest] = path;
  const value = tree[head];
  if (typeof value === 'string' && ids.test(value)) tree[head] = (await render(value)) ?? value;
  const inside = tree[head];
  if (rest.length === 0 || typeof inside !== 'object' || inside === null) return;
  const branches = Array.isArray(inside) ? inside : [inside];
  for (const branch of branches) await expandPath(branch as Tree, rest, render);
};
