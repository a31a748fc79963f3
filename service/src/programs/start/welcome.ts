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
    ...(simulatorUrl ? [`Simulated banks at ${simulatorUrl}`] : []),
    `Data in ${config.dataFolder}`,
    ...(demo ? demoLines(demo) : ['Use an access secret of your merchant.']),
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ];
  return `${lines.join('\n')}\n`;
};

const demoLines = (demo: Demo): readonly string[] => [
  `Sandbox secret ${demo.sandboxSecret}`,
  '',
  'Create a payment, then open its paymentUrl:',
  '',
  `curl -s ${demo.apiUrl}/api/payments/process-payment \\`,
  `  -H 'Authorization: Bearer ${demo.sandboxSecret}' \\`,
  "  -H 'Content-Type: application/json' \\",
  `  -d '{"customerId":"customer-1","orderId":"order-1","amount":12.50,"expiresIn":900000}'`,
];
