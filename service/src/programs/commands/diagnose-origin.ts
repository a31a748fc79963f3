import { tenantsListing } from '#modules/merchants/index.ts';
import type { CommandProcess } from '#platform/command.ts';
import { withCommandTools } from './run-command.ts';

/** Of a page that calls Florin: which merchants list its origin. It changes nothing. */
export const diagnoseOrigin = async (words: readonly string[], process: CommandProcess) => {
  const [origin = ''] = words;
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new Error(`${origin || 'Nothing'} is no origin: write it as https://shop.example.`);
  await withCommandTools(process, 'doctor', async (tools) => {
    const tenants = await tenantsListing(tools, origin);
    if (tenants.length === 0)
      throw new Error(
        `FAULT    ${origin}: no active access secret lists it, so its pages can read nothing.\n` +
          '         -> Add it in the dashboard under Developers, Secrets, Web pages that may call.',
      );
    await tools.write(`${tenants.map((tenant) => `ok       ${origin}: ${tenant}`).join('\n')}\n`);
  });
};
