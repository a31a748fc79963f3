import { limits } from '@florin/contract';
import { suggestName } from './input/warn-of-input.ts';

type Address = { readonly method: string; readonly url: string };

/**
 * The operation that a mistyped address was probably meant for: a part misspelt, or one too many or too
 * few. Null: none is near enough, or it is no operation.
 */
export const suggestPath = (
  method: string,
  path: string,
  served: readonly Address[],
): string | null => {
  const sent = partsOf(path);
  if (path.length > limits.suggestedPathLength || sent.length > limits.suggestedPathParts)
    return null;
  const isNear = openNearness();
  let best: { readonly address: Address; readonly cost: number } | null = null;
  for (const address of served) {
    if (!address.url.startsWith('/api/') || address.method === 'HEAD') continue;
    const otherMethod = address.method === method ? 0 : costs.method;
    const cost = distance(sent, partsOf(address.url), isNear) + otherMethod;
    if (cost < (best?.cost ?? costs.tooMuch)) best = { address, cost };
  }
  return best && `${best.address.method} ${best.address.url.replace(/:(\w+)/g, '{$1}')}`;
};

const costs = {
  ...{ method: 0.5, id: 0.5, oddId: 1.5, misspelt: 1, extra: 2, other: 3 },
  tooMuch: 3,
} as const;

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

/** An address has few parts, and the same ones come again in many. */
const openNearness = () => {
  const known = new Map<string, boolean>();
  return (sent: string, part: string): boolean => {
    const key = `${sent}/${part}`;
    const isNear = known.get(key) ?? suggestName(sent, [part]) !== null;
    known.set(key, isNear);
    return isNear;
  };
};

const costOf = (
  sent: string,
  part: string,
  isNear: (sent: string, part: string) => boolean,
): number => {
  if (sent === part) return 0;
  if (part.startsWith(':')) return /\d/.test(sent) ? costs.id : costs.oddId;
  return isNear(sent, part) ? costs.misspelt : costs.other;
};

const distance = (
  sent: readonly string[],
  parts: readonly string[],
  isNear: (sent: string, part: string) => boolean,
): number => {
  let row = Array.from({ length: parts.length + 1 }, (_, at) => at * costs.extra);
  for (const [at, each] of sent.entries()) {
    const next = [(at + 1) * costs.extra];
    for (const [to, part] of parts.entries())
      next.push(
        Math.min(
          (row[to] ?? 0) + costOf(each, part, isNear),
          (row[to + 1] ?? 0) + costs.extra,
          (next[to] ?? 0) + costs.extra,
        ),
      );
    row = next;
  }
  return row[parts.length] ?? costs.tooMuch;
};
