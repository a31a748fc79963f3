const rowsKept = 1_000;

type Row = { readonly bankId: string };

// The rows read last, until they change: a bank reads one consent ten times while it is used. Only this
// process writes to its database.
export const remember = <Kept extends Row>(
  read: (bankId: string, id: string) => Promise<Kept | undefined>,
) => {
  const known = new Map<string, Kept>();
  let changes = 0;
  return {
    find: async (bankId: string, id: string): Promise<Kept | undefined> => {
      const kept = known.get(id);
      if (kept?.bankId === bankId) return kept;
      const before = changes;
      const row = await read(bankId, id);
      // What changed meanwhile was perhaps read as it was before.
      if (!row || before !== changes) return row;
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= rowsKept) known.delete(oldest);
      known.set(id, row);
      return row;
    },
    forget: (id: string): void => {
      changes += 1;
      known.delete(id);
    },
  };
};
