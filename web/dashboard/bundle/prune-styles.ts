import { parse } from 'postcss';

/** Classes of Mantine's parts, which its code names by the same text: `m_77c9d27d`. */
const partClass = /\bm_[0-9a-f]{6,8}\b/g;

/**
 * The styles without those of parts that no script of the bundle names: two thirds of Mantine's. Other
 * rules stay as they are.
 */
export const pruneStyles = (css: string, scripts: readonly string[]): string => {
  const named = new Set(scripts.flatMap((script) => script.match(partClass) ?? []));
  const isUsed = (selector: string): boolean =>
    // A part that is excluded need not be there.
    (selector.replace(/:not\([^()]*\)/g, '').match(partClass) ?? []).every((part) =>
      named.has(part),
    );
  const root = parse(css);
  root.walkRules((rule) => {
    const used = rule.selectors.filter(isUsed);
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
};
