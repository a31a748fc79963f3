import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type CitationTargets,
  findBadCitations,
  findIndexProblems,
  readCitationTargets,
} from './find-bad-citations.ts';
import { listDocuments, listSourceFiles } from './list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = 'service/src/modules/payments/planted.ts';

const readDecisionTitles = async (): Promise<ReadonlyMap<string, string>> => {
  const folder = `${root}docs/decisions/`;
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const entries = names.map(async (name): Promise<[string, string]> => {
    const [heading = ''] = (await readFile(folder + name, 'utf8')).split('\n');
    return [name, heading.replace(/^# /, '')];
  });
  return new Map(await Promise.all(entries));
};

describe('citations', () => {
  let targets: CitationTargets;
  beforeAll(async () => {
    targets = await readCitationTargets(root);
  });

  test('resolve to a rule or a decision page', async () => {
    // This test and its rules plant the forms that they forbid.
    const files = [...listSourceFiles(root), ...listDocuments(root)].filter(
      ({ path }) => !/^tools\/house-rules\/find-bad-citations/.test(path),
    );
    expect(targets.rules.size).toBeGreaterThan(100);
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(findBadCitations(targets))).toEqual([]);
  });

  test.each([
    '/** Refused (CARD-999). */',
    '// See 0999-no-such-page.md.',
    '/** Recorded once (decision 17). */',
    '/** Names of decisions A.8 and A.9. */',
    '/** Answers as decision F.32 says. */',
    '// The decisions C of the interface.',
    '/** The status object (interface 2.5). */',
    '/** Interface section 7. */',
    "  section: 'section 4.3',",
    '// See F2.1.',
    '// As A.8 says.',
    "  'I4 refunds exceed the payment': `select 1`,",
    '// T7 kills the worker.',
    '// One plan per statement (62).',
    '-- Totals are exact (0040).',
  ])('are reported when they do not resolve: %s', (text) => {
    expect(findBadCitations(targets)({ path: here, text })).toHaveLength(1);
  });

  test.each([
    '/** Refused (CARD-1); see 0032-saved-cards.md. */',
    '// At most 20 people (of 400), since version 1.2 of the page.',
    'const limit = take(62);',
    "const at = '2026-11-22T07:00:00Z';",
  ])('are accepted when they resolve, like other text: %s', (text) => {
    expect(findBadCitations(targets)({ path: here, text })).toEqual([]);
  });
});

describe('the index of decisions', () => {
  test('lists every page with its title and status', async () => {
    const index = await readFile(`${root}docs/decisions/index.md`, 'utf8');
    expect(findIndexProblems(index, await readDecisionTitles())).toEqual([]);
  });

  test('has at most fifty pages, each with its status and date', async () => {
    const pages = [...(await readDecisionTitles()).keys()];
    const heads = pages.map(async (page): Promise<[string, string]> => {
      const [, , status = ''] = (await readFile(`${root}docs/decisions/${page}`, 'utf8')).split(
        '\n',
      );
      return [page, status];
    });
    const known = /^\*\*Status:\*\* accepted, \d{4}-\d\d-\d\d$/;
    expect((await Promise.all(heads)).filter(([, status]) => !known.test(status))).toEqual([]);
    expect(pages.length).toBeLessThanOrEqual(50);
  });

  const titles = new Map([['0001-one.md', '1. One']]);
  test.each([
    ['a missing page', ''],
    [
      'a page that does not exist',
      '| [0001](0001-one.md) | One | accepted |\n| [0002](0002-two.md) | Two | accepted |',
    ],
    ['another title', '| [0001](0001-one.md) | Another | accepted |'],
    ['an unknown status', '| [0001](0001-one.md) | One | perhaps |'],
    [
      'a successor that does not exist',
      '| [0001](0001-one.md) | One | superseded by [0002](0002-two.md) |',
    ],
  ])('a problem is found: %s', (_, index) => {
    expect(findIndexProblems(index, titles)).not.toEqual([]);
  });
});
