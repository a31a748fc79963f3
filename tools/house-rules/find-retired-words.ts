import type { Complaint, SourceFile } from './tidy-rules.ts';

type Scope = 'anywhere' | 'names';
type RetiredWord = { readonly retired: string; readonly now: string; readonly scope: Scope };

/**
 * `anywhere`: the word has no other use here, so it is not allowed in a comment or a text either.
 * `names`: the word is ordinary English, but not in the name of a file, a function, a type, a
 * column. Words of a phrase may follow each other in a name (`giveBack`) or in a sentence.
 */
const retiredWords: readonly RetiredWord[] = [
  { retired: 'talk|talks', now: 'poll, call', scope: 'names' },
  { retired: 'question|questions', now: 'poll, call', scope: 'names' },
  { retired: 'ask|asks|asked|asking', now: 'poll, call, request', scope: 'names' },
  { retired: 'beginning|beginnings', now: 'prefix', scope: 'names' },
  { retired: 'place|places', now: 'slot, position, context, address', scope: 'names' },
  { retired: 'tell|tells|told', now: 'emit, alert, log, send, show', scope: 'names' },
  { retired: 'untold', now: 'not yet emitted', scope: 'anywhere' },
  { retired: 'give back|gives back|given back|gave back', now: 'refund', scope: 'anywhere' },
  {
    retired: 'take back|takes back|taken back|took back',
    now: 'reverse, reversal',
    scope: 'names',
  },
  { retired: 'let go|letting go|lets go', now: 'detach', scope: 'anywhere' },
  { retired: 'last word', now: 'outcome, final', scope: 'anywhere' },
  { retired: 'news', now: 'visible change', scope: 'anywhere' },
  { retired: 'seldom', now: 'at most every', scope: 'anywhere' },
  { retired: 'most', now: 'max…', scope: 'names' },
  { retired: 'pass over|passes over|passed over', now: 'skip', scope: 'anywhere' },
  { retired: 'gather|gathers|gathered|gathering', now: 'batch', scope: 'anywhere' },
  { retired: 'keep|keeps|kept', now: 'save, store, queue', scope: 'names' },
  { retired: 'wish|wishes|wished', now: 'request, parameters', scope: 'anywhere' },
  { retired: 'strike|strikes|struck', now: 'inject', scope: 'anywhere' },
  { retired: 'clockwork', now: 'scheduler', scope: 'anywhere' },
  { retired: 'trouble|troubles', now: 'fault, problem', scope: 'anywhere' },
  { retired: 'outlook', now: 'forecast', scope: 'anywhere' },
  { retired: 'judge|judges|judged', now: 'classify, check', scope: 'anywhere' },
  { retired: 'world', now: 'simulator', scope: 'anywhere' },
  { retired: 'door|doors', now: 'entry point, server, routes', scope: 'anywhere' },
  { retired: 'crime|crimes', now: 'violation', scope: 'anywhere' },
  { retired: 'lawful|unlawful', now: 'allowed', scope: 'anywhere' },
  { retired: 'whoever|nobody', now: 'the subject by its name', scope: 'anywhere' },
  { retired: 'those who|whom it surprises', now: 'the subject by its name', scope: 'anywhere' },
];

/** Terms of protocols and libraries that hold a retired word. */
const otherTerms = new RegExp(
  [
    'keep[-_ ]?alives?',
    'decimal[- ]?places?',
    'place-(?:items|content|self)',
    'question mark',
    'mostTipped',
    'at most',
    'workers_per_gather',
    "=== 'nobody'",
    'keepContextOnSuccess',
    'keepMounted',
  ].join('|'),
  'gi',
);

const sentences =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|(?:^|[^:])\/\/.*$|^\s*(?:\*|--).*$/g;

const toWords = (text: string) =>
  text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

// A name within a text: `keepAlive`, `card_place`, `strike-fault`. A lone word there is prose.
const compound = /[A-Za-z]+(?:[_-][A-Za-z0-9]+|(?<=[a-z])[A-Z][A-Za-z0-9]*)+/g;

const namesIn = (line: string) => {
  const texts = line.match(sentences)?.join(' ') ?? '';
  return `${line.replaceAll(sentences, ' ')} ${texts.match(compound)?.join(' | ') ?? ''}`;
};

const matchers = retiredWords.map(({ retired, now, scope }) => ({
  pattern: new RegExp(`(?<![a-z0-9])(?:${retired})(?![a-z0-9])`),
  now,
  scope,
}));

const anyRetired = new RegExp(
  retiredWords
    .map(({ retired }) => retired)
    .join('|')
    .replaceAll(' ', '.?'),
  'i',
);

const findRetired = (line: string, isPath: boolean) => {
  if (!anyRetired.test(line)) return [];
  const kept = line.replaceAll(otherTerms, ' ');
  const everything = toWords(kept);
  const names = isPath ? everything : toWords(namesIn(kept));
  return matchers.flatMap(({ pattern, now, scope }) => {
    const found = pattern.exec(scope === 'names' ? names : everything)?.[0];
    return found ? [`${found}: ${now}`] : [];
  });
};

/** The words of `docs/GLOSSARY.md` that are no longer used. */
export const findRetiredWords = ({ path, text }: SourceFile): readonly Complaint[] => [
  ...findRetired(path, true).map((says) => ({ path, line: 0, says })),
  ...text
    .split('\n')
    .flatMap((line, index) =>
      findRetired(line, false).map((says) => ({ path, line: index + 1, says })),
    ),
];

export { retiredWords };
