export type Product = { readonly id: string; readonly name: string; readonly pence: number };

export type Order = {
  readonly id: string;
  readonly pence: number;
  readonly lines: readonly string[];
  status: string;
  sequence: number;
  readonly events: { readonly id: string; readonly status: string; readonly at: string }[];
};

const page = (title: string, body: string, isWaiting = false): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isWaiting ? '<meta http-equiv="refresh" content="2">' : ''}
<title>${title}</title>
<style>
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1.25rem;
  color: light-dark(#2b1d16, #f3e9e2); background: light-dark(#fffaf5, #1c1512); }
li { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .75rem 0;
  border-bottom: 1px solid light-dark(#e6d8cb, #43342c); }
ul { list-style: none; padding: 0; }
input { font: inherit; width: 4.5rem; min-height: 44px; text-align: center; }
button { font: inherit; font-weight: 600; min-height: 48px; width: 100%; border: 0; border-radius: 8px;
  cursor: pointer; color: light-dark(#fff, #2b1d16); background: light-dark(#7a3e1d, #f0b48c); }
.paid { color: light-dark(#0b6b4f, #5fd3a9); }
a { color: inherit; }
</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

export const drawTill = (products: readonly Product[]): string => {
  const rows = products.map(
    ({ id, name, pence }) =>
      `<li><label for="${id}">${name}<br>${pounds(pence)}</label>` +
      `<input id="${id}" name="${id}" type="number" min="0" max="20" value="0"></li>`,
  );
  return page(
    'Demo Coffee Roasters',
    `<h1>Demo Coffee Roasters</h1><form method="post" action="/orders"><ul>${rows.join('')}</ul>` +
      '<button>Pay</button></form>',
  );
};

const headings: Readonly<Record<string, string>> = {
  COMPLETED: '<h1 class="paid">Paid, thank you</h1>',
  FAILED: '<h1>Not paid</h1><p>The bank declined it. No money has moved.</p>',
};

export const drawOrder = ({ id, pence, lines, status, events }: Order): string => {
  const waiting = '<h1>Waiting for your payment</h1><p>This page follows the webhook.</p>';
  const rows = events.map(
    (event) => `<li><span>${event.status}</span><span>signature verified, ${event.at}</span></li>`,
  );
  return page(
    `Order ${id}`,
    `${headings[status] ?? waiting}<p>Order ${id}: ${lines.join(', ')}. ${pounds(pence)}</p>` +
      `<h2>Webhooks</h2>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>None yet.</p>'}` +
      '<p><a href="/">Next customer</a></p>',
    headings[status] === undefined,
  );
};
