/** Longer ones are shared by few. */
export const longestBeginning = 20;

/** Every beginning of every word of `row`, once. */
export const beginningsOf = (words: string): string => `
  select distinct left(w.word, n) as beginning
  from unnest(${words}) as w (word), generate_series(1, least(length(w.word), ${longestBeginning})) n`;
