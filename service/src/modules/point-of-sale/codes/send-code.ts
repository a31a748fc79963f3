import { checkoutAssets, renderCode } from '@florin/checkout';
import type { CodeProblem } from '@florin/contract';
import type { FastifyReply } from 'fastify';
import { pence, poundsText } from '#kernel/pence.ts';
import { frameOf } from '#modules/bank-feed/index.ts';
import { localeOf, sendHtml } from '#modules/checkout/index.ts';
import { type CodePageTools, type FoundCode, rangeOf } from './find-code.ts';

type Shown = {
  readonly visit: string;
  readonly typed: string;
  readonly problem: CodeProblem | null;
};

export const sendCode = (
  tools: CodePageTools,
  reply: FastifyReply,
  found: FoundCode,
  shown: Shown,
  statusCode = 200,
): FastifyReply => {
  const { tenant, code, merchant } = found;
  const locale = localeOf(reply.request);
  const { min, max } = rangeOf(found);
  const html = renderCode(
    {
      frame: frameOf(merchant, tenant.environment, tools.operatorName, locale),
      token: code.token,
      formToken: tools.formTokens.make(`${code.code_id}.${shown.visit}`),
      storeName: code.location_name,
      label: code.label,
      amount: code.amount_pence === null ? null : poundsText(pence(code.amount_pence)),
      minAmount: poundsText(pence(min)),
      maxAmount: poundsText(pence(max)),
      ...shown,
    },
    { scriptUrl: checkoutAssets().script.path },
  );
  return sendHtml(reply.code(statusCode), html, { accentColour: merchant.accentColour });
};
