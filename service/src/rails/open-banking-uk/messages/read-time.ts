/** The standard's date and time; without a zone it is taken as UTC. Null: it is none. */
export const readTime = (text: string | undefined): Date | null => {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text ?? '',
    );
  if (!match) return null;
  const zone = (match[3] ?? 'Z').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const time = new Date(`${match[1]}T${match[2] ?? '00:00'}${zone}`);
  const year = time.getUTCFullYear();
  return year >= 1970 && year < 2200 ? time : null;
};
