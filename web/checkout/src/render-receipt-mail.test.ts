import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney } from './language/format.ts';
import { directionOf, locales } from './language/locales.ts';
import { renderReceiptMail as renderMail } from './render-receipt-mail.ts';
import { sampleFrame, samplePaid, sampleViews } from './test/sample-views.ts';

const renderReceiptMail = (view: Parameters<typeof renderMail>[0]) =>
  renderMail(view, {
    publicUrl: 'https://pay.example',
    shortUrl: 'https://pay.example/p/7Q2M4K9T1',
  });

const inLanguage = (locale: string) =>
  renderReceiptMail({ ...samplePaid, frame: { ...sampleFrame, locale } });

test.each(locales)('%s: text and HTML show amount, payee and time', (locale) => {
  const mail = inLanguage(locale);
  const amount = formatMoney(locale, '42.50');
  expect(mail.subject).toContain(amount);
  expect(mail.html).toContain(`<html lang="${locale}" dir="${directionOf(locale)}">`);
  // The amount paid is the last line, as on the page and in the file.
  expect(mail.text).toMatch(new RegExp(`\\n\\n.+: ${amount.replace(/[$.]/g, '\\$&')}\\n\\n`));
  expect(mail.html).toContain('href="https://pay.example/p/7Q2M4K9T1?payment=');
  for (const said of [amount, 'MARIGOLD AND MOSS LTD', 'MM202610417', '3f0c8f5e-1a52'])
    for (const part of [mail.text, mail.html]) expect(part).toContain(said);
  expect(mail.text).not.toMatch(/[<>]|&\w+;/);
  expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\{\w+\}|undefined|\[object|NaN/);
});

test('says where the merchant helps, where it says so', () => {
  const plain = renderReceiptMail({ ...samplePaid, frame: sampleFrame });
  expect(plain.text).not.toContain('Questions?');
  const contact = { email: 'help@moss.example', phone: '+44 20 7946 0000', url: null };
  const mail = renderReceiptMail({ ...samplePaid, frame: { ...sampleFrame, support: contact } });
  const said = 'Questions? Contact Marigold & Moss\nhelp@moss.example\n+44 20 7946 0000\n\n';
  expect(mail.text).toContain(said);
  for (const address of ['mailto:help@moss.example', 'tel:+442079460000'])
    expect(mail.html).toContain(`<a href="${address}"`);
});

test('has what was paid for and the note of the merchant', () => {
  const mail = renderReceiptMail(sampleViews['paid-with-items']);
  expect(mail.text).toContain('\nItems\n2 × Fern in a terracotta pot: £39.00\n');
  expect(mail.text).toMatch(/: £8.50\nMembers’ discount: −£5.00\n\nAmount paid: £42.50\n/);
  expect(mail.text).toContain(
    'Message from Marigold & Moss\nYour order is packed on Friday.\n\nRing <Anna> if nobody opens.\n',
  );
  expect(mail.html).toContain('>−£5.00</td>');
  expect(mail.html).toContain('Ring &lt;Anna&gt; if');
});

test('marks a test payment, not a real one', () => {
  expect(inLanguage('en').text).toContain('Test mode. No real money moves.');
  const frame = { ...sampleFrame, environment: 'PRODUCTION' } as const;
  const real = renderReceiptMail({ ...samplePaid, frame });
  expect(`${real.text}${real.html}`).not.toContain('Test mode');
});

test('a merchant name cannot break out of the markup or add a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
      const named = (merchantName: string) =>
        renderReceiptMail({ ...samplePaid, frame: { ...sampleFrame, merchantName } });
      const tags = (text: string) => [...text.matchAll(/<[a-z!/]/gi)].length;
      const mail = named(`x<b onclick='y'>"${name}\r\nBcc: everyone@example.com`);
      expect(tags(mail.html)).toBe(tags(named('plain').html));
      expect(mail.subject).not.toMatch(/[\r\n]/);
    }),
  );
});

test('has the logo of the merchant from our own server only, in one size', () => {
  const withLogo = (avatarUrl: string | null) =>
    renderReceiptMail({ ...samplePaid, frame: { ...sampleFrame, avatarUrl } }).html;
  expect(withLogo('/merchant-logos/m/l.svg')).toContain(
    '<img src="https://pay.example/merchant-logos/m/l.svg/mail.png" alt="" width="128" height="44"',
  );
  for (const avatarUrl of [null, 'https://elsewhere.example/logo.png', 'data:image/png;base64,AA'])
    expect(withLogo(avatarUrl)).not.toContain('<img');
});
