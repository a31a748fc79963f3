const nameLength = 60;

/** On one line, without an address: somebody chose it who may want to lead the reader elsewhere. */
export const plainName = (name: string | null | undefined): string =>
  (name ?? '')
    .replace(/[\p{C}\p{Z}<>]+/gu, ' ')
    .replace(/(?<=\S)(?:[./:@]|\\)+(?=\S)/g, ' ')
    .trim()
    .slice(0, nameLength) || 'A business';
