import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccessSecret, createMerchant, findFirstMerchant } from '#modules/merchants/index.ts';
import type { Tools } from '#platform/tools.ts';
import { dashboardUrlOf } from '../wiring/dashboard-url-of.ts';
import { type DemoLogin, demoLogin } from './demo-login.ts';

export type Demo = {
  readonly apiUrl: string;
  readonly sandboxSecret: string;
  readonly productionSecret: string;
  readonly merchantId: string;
} & DemoLogin;

/** A file of an earlier version knows no dashboard. */
type StoredDemo = Omit<Demo, keyof DemoLogin> & Partial<DemoLogin>;

/**
 * A merchant to try everything with: created once, its secrets stored in a file readable only by
 * us.
 */
export const demoMerchant = async (tools: Tools, apiUrl: string): Promise<Demo | null> => {
  const file = join(tools.config.dataFolder, 'demo.json');
  const stored = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as StoredDemo,
    () => null,
  );
  if (!stored && (await findFirstMerchant(tools))) return null;
  const demo = stored ? { ...stored, apiUrl } : await makeDemo(tools, apiUrl);
  const dashboardUrl = dashboardUrlOf(tools, apiUrl);
  const whole = { ...demo, ...(await demoLogin(tools, demo)), dashboardUrl };
  await replaceFile(file, `${JSON.stringify(whole, null, 2)}\n`);
  await replaceFile(join(tools.config.dataFolder, 'demo.env'), shellVariables(whole));
  return whole;
};

/** For `. .florin/demo.env`: examples of the documentation paste as they are. */
const shellVariables = ({ apiUrl, sandboxSecret }: Demo): string =>
  `export URL='${apiUrl.replaceAll("'", '%27')}'\nexport SECRET='${sandboxSecret}'\n`;

const replaceFile = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
};

const makeDemo = async (tools: Tools, apiUrl: string): Promise<StoredDemo> => {
  const account = { sortCode: '180002', accountNumber: '00000190', name: 'Demo Coffee Roasters' };
  const made = await createMerchant(tools, {
    businessName: 'Demo Coffee Roasters',
    ownerEmail: 'owner@example.com',
    categoryCode: '5499',
    accentColour: '#0b6b75',
    supportEmail: 'help@demo-coffee.example',
    bankAccounts: { SANDBOX: account, PRODUCTION: account },
    secret: { name: 'Demo' },
  });
  // A web client on any port of this machine works at once.
  const { merchantId } = made;
  const { secret } = await createAccessSecret(
    tools,
    { merchantId, environment: 'SANDBOX' },
    { name: 'Demo', webOrigins: ['http://localhost:*', 'http://127.0.0.1:*'] },
  );
  return {
    apiUrl,
    sandboxSecret: secret,
    productionSecret: made.secrets.PRODUCTION.secret,
    merchantId: made.merchantId,
  };
};
