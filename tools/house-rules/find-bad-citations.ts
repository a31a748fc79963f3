import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Complaint, SourceFile } from './tidy-rules.ts';

/** Valid citations: rule ids of `docs/rules` and file names of `docs/decisions`. */
export type CitationTargets = {
  readonly rules: ReadonlySet<string>;
  readonly pages: ReadonlySet<string>;
};

const ruleHeading = /^## ([A-Z]+-\d+)$/gm;
const decisionPage = /^\d{4}-[a-z0-9-]+\.md$/;

/** The page of each rule. */
const readRulePages = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const folder = join(root, 'docs/rules');
  const pageOf = new Map<string, string>();
  for (const page of await readdir(folder)) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const [, id = ''] of text.matchAll(ruleHeading)) {
      if (pageOf.has(id)) throw new Error(`docs/rules has ${id} twice`);
      pageOf.set(id, page);
    }
  }
  return pageOf;
};

const readCitationTargets = async (root: string): Promise<CitationTargets> => {
  const rules = new Set((await readRulePages(root)).keys());
  const pages = (await readdir(join(root, 'docs/decisions'))).filter((name) =>
    decisionPage.test(name),
  );
  return { rules, pages: new Set(pages) };
};

const oldForms = [
  /\b[Dd]ecisions? (?:page )?[A-I]?\.?\d/,
  /\b[Dd]ecisions? [A-I]\b/,
  /\b[Ii]nterface (?:sections? )?\d/,
  /\b[Ss]ections? \d/,
  /\bF\d\.\d/,
  /\b[A-I]\.\d{1,2}\b/,
  /\bI(?:[1-9]|1[0-2])\b/,
  /\bT(?:[1-9]|1\d|2[01])\b/,
];
// Tried once on a whole file, most of which hold none: line by line they took a second.
const anyOldForm = new RegExp(oldForms.map(({ source }) => source).join('|'));
const numberInBrackets = /(?<=[A-Za-z] ?)\((?:\d{1,2}|00\d\d)\)/;
const isProse = (line: string, path: string) =>
  path.endsWith('.md') || /^\s*(?:\/\/|\/?\*|--)/.test(line);

/** Citations that lead nowhere, and the forms of citation that need a page outside the repository. */
export const findBadCitations = ({ rules, pages }: CitationTargets) => {
  const prefixes = [...new Set([...rules].map((id) => id.replace(/\d+$/, '')))];
  const ruleLike = new RegExp(`\\b(?:${prefixes.join('|')})\\d+\\b`, 'g');
  const unresolved = (line: string) => [
    ...(line.match(ruleLike) ?? []).filter((id) => !rules.has(id)),
    ...(line.match(/\b\d{4}-[a-z][a-z0-9-]*\.md\b/g) ?? []).filter((name) => !pages.has(name)),
  ];
  const isSuspect = (text: string) =>
    anyOldForm.test(text) || numberInBrackets.test(text) || unresolved(text).length > 0;
  return ({ path, text }: SourceFile): readonly Complaint[] => {
    if (!isSuspect(text)) return [];
    return text.split('\n').flatMap((line, index) => {
      const forms = isProse(line, path) ? [...oldForms, numberInBrackets] : oldForms;
      const found = [...unresolved(line), ...forms.flatMap((form) => line.match(form) ?? [])];
      if (found.length === 0) return [];
      return [{ path, line: index + 1, says: `cites no rule and no decision page: ${found[0]}` }];
    });
  };
};

const indexRow = /^\| \[(\d{4})\]\((\S+)\) +\| (.+?) +\| (.+?) +\|$/;
const knownStatus = /^(?:accepted|superseded by \[\d{4}\]\((\S+)\))$/;

/** Where `docs/decisions/index.md` and the pages of the folder disagree. */
export const findIndexProblems = (
  index: string,
  titles: ReadonlyMap<string, string>,
): readonly string[] => {
  const rows = index.split('\n').flatMap((line) => {
    const [, number = '', page = '', title = '', status = ''] = indexRow.exec(line) ?? [];
    return page ? [{ number, page, title, status }] : [];
  });
  const listed = new Set(rows.map(({ page }) => page));
  const missing = [...titles.keys()].filter((page) => !listed.has(page));
  const wrong = rows.flatMap(({ number, page, title, status }) => [
    ...(titles.has(page) && page.startsWith(`${number}-`) ? [] : [`${page} does not exist`]),
    ...(titles.get(page) === `${Number(number)}. ${title}` ? [] : [`${page} has another title`]),
    ...(isStatus(status, titles) ? [] : [`${page} has no status: ${status}`]),
  ]);
  return [...missing.map((page) => `${page} is not in the index`), ...wrong];
};

const isStatus = (status: string, titles: ReadonlyMap<string, string>): boolean => {
  const [known, successor] = knownStatus.exec(status) ?? [];
  return known !== undefined && (successor === undefined || titles.has(successor));
};

export { readCitationTargets, readRulePages };
