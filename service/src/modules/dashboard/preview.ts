import type { ReplyOf } from '@florin/contract';
import {
  type CheckoutDraft,
  checkoutDraft,
  type getSettings,
} from '@florin/contract/dashboard/index.ts';
import type { FastifyInstance } from 'fastify';
import {
  type PageTools,
  type PreviewSettings,
  type PreviewStep,
  previewSteps,
  previewView,
  sendPreview,
} from '#modules/checkout/index.ts';
import { admitForm } from '#modules/people/index.ts';
import { compileValidator } from '#platform/http/compile-validator.ts';
import type { Uses } from '#platform/tools.ts';
import { readSettings } from './settings.ts';

type Settings = ReplyOf<typeof getSettings>;

/**
 * The hosted page as it would be with settings that are not saved yet, for a frame of the dashboard
 * (DASHBOARD-13). A form sends them, because a logo is too long for an address; nothing is changed.
 */
export const servePreview = (app: FastifyInstance, tools: PageTools & Uses<'clock'>): void => {
  app.post('/dashboard/checkout-preview/:merchantId/:environment', async (request, reply) => {
    const named = request.params as { readonly merchantId: string; readonly environment: string };
    const { tenant } = await admitForm(tools, request, named, { permission: 'settings.read' });
    const settings = previewSettings(await readSettings(tools, tenant), draftOf(request.body));
    const step = stepOf(request.body);
    return sendPreview(reply, await previewView(tools, tenant, settings, step));
  });
};

const isDraft = compileValidator('body', checkoutDraft);

/** What is half typed is left out: the preview then shows what is saved. */
const draftOf = (body: unknown): CheckoutDraft => {
  const draft = objectOf((body as { readonly draft?: unknown } | undefined)?.draft);
  const wrong = new Set(isDraft(draft).map(({ field }) => field.split('.')[0]));
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !wrong.has(name)));
};

const stepOf = (body: unknown): PreviewStep => {
  const wanted = (body as { readonly step?: unknown } | undefined)?.step;
  return previewSteps.find((step) => step === wanted) ?? 'FIRST';
};

const objectOf = (text: unknown): object => {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
};

const previewSettings = (saved: Settings, draft: CheckoutDraft): PreviewSettings => {
  const { logo, ...rest } = draft;
  const settings = { ...saved, ...rest };
  return {
    businessName: settings.businessName,
    avatarUrl: settings.avatarUrl,
    logoUrl: logo === undefined ? saved.logoUrl : logo,
    accentColour: settings.accentColour,
    supportEmail: settings.supportEmail,
    supportPhone: settings.supportPhone,
    supportUrl: settings.supportUrl,
    cardsEnabled: saved.switches.cardsEnabled,
    tips: tipsOf(settings.tips),
    ...settings.amountParts,
  };
};

const tipsOf = (tips: Settings['tips']): PreviewSettings['tips'] =>
  tips?.enabled
    ? {
        type: tips.tipType,
        options: tips.options.map((option) =>
          Math.round(tips.tipType === 'FIXED' ? option * 100 : option),
        ),
        allowsCustom: tips.allowCustom,
      }
    : null;
