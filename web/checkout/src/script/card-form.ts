/**
 * The card form of a dialog in a merchant's page (CARD-19). Published dialogs know it under the name, the
 * place and the events of the processor that they were written for, and move its frame as they like.
 */
type Form = { readonly displayCheckout: () => void; readonly closeCheckout: () => void };
type Options = { readonly id: string };
type Told = { readonly florinCardEvent?: string; readonly paymentIdempotencyId?: string };

const { origin } = new URL((document.currentScript as HTMLScriptElement).src);
const placeId = 'rapyd-checkout';

const openForm = ({ id }: Options): Form => {
  const frame = document.createElement('iframe');
  frame.title = 'Pay by card';
  frame.allow = 'payment *';
  frame.src = `${origin}/card-checkout?${new URLSearchParams({ checkoutId: id })}`;
  frame.style.cssText = 'display: block; width: 100%; min-height: 36rem; border: 0';
  frame.addEventListener('load', () => dispatch('onLoading', { loading: false }));
  const hear = ({ source, origin: from, data }: MessageEvent<Told>): void => {
    if (source === frame.contentWindow && from === origin) tell(data);
  };
  return {
    displayCheckout: () => {
      const place = document.getElementById(placeId);
      if (!place) throw new Error(`there is no element #${placeId} for the card form`);
      addEventListener('message', hear);
      place.append(frame);
    },
    closeCheckout: () => {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
};

/** The first three are outcomes; else the payer may try again. */
const tell = ({ florinCardEvent: event, paymentIdempotencyId }: Told): void => {
  const metadata = { paymentIdempotencyId };
  if (event === 'paymentSuccessful') dispatch('onCheckoutPaymentSuccess', { metadata });
  else if (event === 'paymentFailed')
    dispatch('onCheckoutPaymentFailure', { metadata, error: 'The card was not charged.' });
  else if (event === 'paymentPending')
    dispatch('onCheckoutPaymentPending', { metadata, next_action: '3d_verification' });
  else if (event !== undefined)
    dispatch('onCheckoutFailure', { metadata, error: 'The card form is closed.' });
};

const dispatch = (name: string, detail: object): void => {
  dispatchEvent(new CustomEvent(name, { detail }));
};

// A dialog calls it with `new`, which a function of ours does not allow.
const CheckoutForm = new Proxy(Object, {
  construct: (_, [options]: readonly Options[]) => openForm(options ?? { id: '' }),
});

Object.assign(window, { RapydCheckoutToolkit: CheckoutForm });
