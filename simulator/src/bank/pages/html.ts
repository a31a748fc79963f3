export type Html = {
  readonly html: string;
};

type Part = Html | readonly Html[] | string | number | undefined;

// A template tag that escapes everything that is not markup already.
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => {
  const text = strings.reduce((sofar, piece, index) => sofar + render(parts[index - 1]) + piece);
  return { html: text };
};

const render = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'object') {
    return 'html' in part ? part.html : part.map((each) => each.html).join('');
  }
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
};
