import type Stripe from 'stripe';
import type { Authentication } from '#rails/card-rail.ts';
import { plainId } from '../account/plain-code.ts';

const none: Authentication = {
  hasHappened: false,
  result: null,
  flow: null,
  version: null,
  eci: null,
  dsTransId: null,
  at: null,
};

/** The proof for later charges off session: stored with the card, word for word. */
export const authenticationOf = (charge: Stripe.Charge | null): Authentication => {
  const proof = charge?.payment_method_details?.card?.three_d_secure;
  if (!charge || !proof) return none;
  const flow: string | null = proof.authentication_flow;
  return {
    hasHappened: proof.result === 'authenticated',
    result: plainId(proof.result),
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : null,
    version: plainId(proof.version),
    eci: plainId(proof.electronic_commerce_indicator),
    dsTransId: plainId(proof.transaction_id),
    at: new Date(charge.created * 1000),
  };
};
