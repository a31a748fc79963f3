import type { FieldError } from '#kernel/failure.ts';
import { findCardNumbers } from './find-card-numbers.ts';
import { maskCardNumbers } from './mask-card-numbers.ts';

// Goods have thirteen digits on their barcodes and shops in their orders, and no scheme issues cards of
// thirteen any more: such a number is masked in a log, but no merchant is turned away for it.
const certainLength = 14;

/** A card number that cannot mean anything else. */
export const holdsCardNumber = (text: string): boolean =>
  findCardNumbers(text).some(({ digits }) => digits.length >= certainLength);

type Member = { readonly path: string; readonly name: string; readonly value: unknown };

/** Every text and every member name that holds a card number, at any depth. */
export const fieldsWithCardNumber = (
  sent: unknown,
  except?: string | undefined,
): readonly FieldError[] => findMembers(sent, isRefused, except).map(({ path }) => refused(path));

/** Members of what was sent, at any depth. */
export const findMembers = (
  sent: unknown,
  isMeant: (member: Member) => boolean,
  except?: string | undefined,
): readonly Member[] => {
  const found: Member[] = [];
  // Not by recursion: the input may be nested as deep as it is long.
  const left: Member[] = [{ path: '', name: '', value: sent }];
  for (let member = left.pop(); member; member = left.pop()) {
    if (member.path !== '' && member.path === except) continue;
    if (isMeant(member)) found.push(member);
    left.push(...membersOf(member).reverse());
  }
  return found;
};

const isRefused = ({ name, value }: Member): boolean =>
  holdsCardNumber(name) ||
  ((typeof value === 'string' || typeof value === 'number') && holdsCardNumber(String(value)));

const membersOf = ({ path, value }: Member): Member[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, member]) => ({
        path: path === '' ? name : `${path}.${name}`,
        name,
        value: member,
      }))
    : [];

const refused = (path: string): FieldError => {
  const field = maskCardNumbers(path) || 'body';
  return { field, message: `${field} looks like a card number; never send one here` };
};
