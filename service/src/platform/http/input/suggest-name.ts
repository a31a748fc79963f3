/** The known name that was probably meant; null: none is near enough. */
export const suggestName = (sent: string, known: readonly string[]): string | null => {
  const wanted = plain(sent);
  let best: { readonly name: string; readonly edits: number } | null = null;
  for (const name of known) {
    const edits = editDistance(wanted, plain(name));
    if (edits < (best?.edits ?? maxEdits(wanted) + 1)) best = { name, edits };
  }
  return best?.name ?? null;
};

const plain = (name: string): string => name.replace(/[_\-\s]/g, '').toLowerCase();

const maxEdits = (name: string): number => Math.max(1, Math.floor(name.length / 4));

/** Letters to insert, remove, replace or swap with the next one. */
const editDistance = (one: string, other: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = nextRow(one.slice(Math.max(0, at - 2), at), other, { before, row, at });
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
};

type Rows = {
  readonly before: readonly number[];
  readonly row: readonly number[];
  readonly at: number;
};

const nextRow = (lastLetters: string, other: string, { before, row, at }: Rows): number[] => {
  const next = [at];
  for (let to = 1; to <= other.length; to += 1) {
    const isSame = lastLetters.at(-1) === other[to - 1];
    const isSwapped = [...lastLetters].reverse().join('') === other.slice(Math.max(0, to - 2), to);
    next[to] = Math.min(
      (row[to] ?? 0) + 1,
      (next[to - 1] ?? 0) + 1,
      (row[to - 1] ?? 0) + (isSame ? 0 : 1),
      isSwapped && to > 1 ? (before[to - 2] ?? 0) + 1 : at + to,
    );
  }
  return next;
};
