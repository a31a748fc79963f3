export type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? null;

/** The form of a bank's page that is marked with this step, with its prefilled values. */
export const formWithStep = (html: string, step: string): Form | null => {
  for (const [, open = '', inside = ''] of html.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g))
    if (attribute(open, 'data-step') === step)
      return { action: attribute(open, 'action') ?? '', fields: fieldsOf(inside) };
  return null;
};

const fieldsOf = (inside: string): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (const [tag] of inside.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type') ?? 'text';
    const isChecked = /\schecked\b/.test(tag);
    const isFirst = !(name && name in fields);
    const isChosen = type === 'radio' ? isChecked || isFirst : type !== 'checkbox' || isChecked;
    if (name && type !== 'submit' && isChosen) fields[name] = attribute(tag, 'value') ?? '';
  }
  return fields;
};
