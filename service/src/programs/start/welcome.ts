import type { Config } from '#platform/config.ts';
import type { Demo } from './demo-merchant.ts';

type Started = {
  readonly publicUrl: string;
  readonly simulatorUrl: string | null;
  readonly demo: Demo | null;
  readonly config: Config;
};

/** What a developer needs next, ready to paste. */
export const welcome = ({ publicUrl, simulatorUrl, demo, config }: Started): string => {
  const lines = [
    '',
    `Florin is ready at ${publicUrl}`,
    ...(demo ? ['Open it in a browser: it makes a demo payment.'] : []),
    '',
    ...(simulatorUrl ? [`Simulated banks at ${simulatorUrl}`] : []),
    `Data and log in ${config.dataFolder}`,
    ...(demo ? demoLines(demo, config) : ['Use an access secret of your merchant.']),
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ];
  return `${lines.join('\n')}\n`;
};

const demoLines = (demo: Demo, { dataFolder }: Config): readonly string[] => [
  ...dashboardLines(demo),
  `Sandbox secret ${demo.sandboxSecret}`,
  '',
  `Or paste into a second terminal; "." sets URL and SECRET, and paymentUrl is the page to open:`,
  '',
  `. ${dataFolder}/demo.env`,
  'curl -s "$URL/api/payments/process-payment" \\',
  '  -H "Authorization: Bearer $SECRET" \\',
  "  -H 'Content-Type: application/json' \\",
  `  -d '{"customerId":"customer-1","orderId":"order-1","amount":12.50,"expiresIn":900000}'`,
];

const dashboardLines = (demo: Demo): readonly string[] => [
  `Dashboard at ${demo.dashboardUrl}`,
  ...(demo.dashboardPassword
    ? [`  sign in as ${demo.dashboardEmail} with the password ${demo.dashboardPassword}`]
    : []),
];
