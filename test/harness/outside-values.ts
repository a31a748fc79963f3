const texts: readonly string[] = [
  'a\u0000b',
  '4242 4242 4242 4242',
  '\ud83d half',
  'x'.repeat(5_000),
  '=HYPERLINK("https://evil.example";"a")',
  'one\r\ntwo\nthree',
  '\u202eright\u2066 to left\u200f',
  '',
  'paid with 4242424242424242, thanks',
  '🙂'.repeat(2_500),
  '<script>alert(1)</script>',
  '@SUM(1+1)|cmd',
  "'; drop table attempt; --",
  '__proto__',
  ' \t ',
  'half \udc00',
  '\u2028\ufeff\u200b\uffff',
  '\u0007\u001b[31m\u0085',
  '%00%ff\\u0000',
  '../../etc/passwd',
  '{00000000-0000-4000-8000-000000000000}',
];

const dates: readonly string[] = [
  '0000-01-01',
  '9999-12-31T23:59:59Z',
  '2026-02-30',
  '0000-01-01T00:00:00Z',
  '2026-02-30T10:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '2026-13-01T25:61:61+99:99',
];

const amounts: readonly string[] = [
  '0.00',
  '-1.00',
  '1234567890123456789.00',
  '0.001',
  '1e3',
  '9999999999999.99',
  '٣',
  'NaN',
];

/** What people, banks and processors may write as a name, reference, note, id, date or amount. */
export const outsideValues: readonly string[] = [...texts, ...dates, ...amounts];

type Spoiled = { readonly place: string; readonly value: string };

/** Copies of a message in XML, with one of them in one place each: in every place so many, in turn. */
export const spoilXml = (text: string, each: number): readonly Spoiled[] => {
  const places = [...text.matchAll(/<(?:\w+:)?(\w+)[^<>]*>([^<>]+)<\//g)];
  return places.flatMap((found, at) => {
    const [whole, name, content = ''] = found;
    const from = found.index + whole.length - content.length - '</'.length;
    return drawn(at, each).map((outside) => ({
      place: `${name} = ${JSON.stringify(outside).slice(0, 60)}`,
      value: text.slice(0, from) + escaped(outside) + text.slice(from + content.length),
    }));
  });
};

const drawn = (at: number, each: number): readonly string[] =>
  Array.from({ length: each }, (_, more) => at * each + more).flatMap(
    (turn) => outsideValues[turn % outsideValues.length] ?? [],
  );

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
