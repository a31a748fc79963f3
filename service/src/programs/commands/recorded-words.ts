import {
  changeMerchant,
  type Operation,
  setPayoutSettings,
  setSandboxAmountParts,
  setSandboxSwitches,
} from '@florin/contract';
import { isUuid } from '#kernel/is-uuid.ts';
import { detailOf } from '#modules/audit/index.ts';
import { parsedOr } from '#platform/command.ts';

/**
 * What is recorded of the words of a command, for ever: ids, days, words of our own, and of settings what
 * their operations declare. Of any other word it says only that there was one.
 */
export const recordedWords = (words: readonly string[]): readonly string[] =>
  words.map((word) => (isRecordable(word) ? word : (assigned(word) ?? hidden)));

const hidden = '…';

const isRecordable = (word: string): boolean =>
  isUuid(word.replace(/^without=/, '')) || /^\d{4}-\d{2}-\d{2}$/.test(word) || ownWords.has(word);

const ownWords: ReadonlySet<string> = new Set([
  ...['sandbox', 'production', 'open', 'resolved', 'completed', 'failed', 'on', 'off'],
  ...['unmatched', 'matched', 'reversed', 'payouts', 'payout-matches', 'payments', 'csv', 'json'],
  ...['none', 'force', 'the-other-cell-never-serves-it'],
]);

const ofSettings: readonly Operation[] = [
  ...[changeMerchant, setPayoutSettings, setSandboxAmountParts, setSandboxSwitches],
];

/** `name=value`, of a setting: the value too where its operation would record it. */
const assigned = (word: string): string | null => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
  const operation = ofSettings.find(({ body }) => Object.hasOwn(propertiesOf(body), name));
  if (!operation) return null;
  const body = { [name]: parsedOr(value, () => value) };
  const detail = detailOf(operation, { params: {}, body });
  return Object.hasOwn(detail, name) ? word : `${name}=${hidden}`;
};

const propertiesOf = (schema: unknown): object =>
  (schema as { readonly properties?: object } | undefined)?.properties ?? {};
