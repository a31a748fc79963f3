import type { CheckoutDraft } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTenant } from '../../call/use-operation.ts';
import { SectionCard } from '../../parts/layout.tsx';
import classes from './checkout-preview.module.css';

type WithPreviewProps = { readonly draft: CheckoutDraft; readonly children: ReactNode };

/** Forms with what they change beside them; on a phone below them. */
export const WithPreview = ({ draft, children }: WithPreviewProps): ReactNode => (
  <div className={classes.beside}>
    <div>{children}</div>
    <CheckoutPreview draft={draft} />
  </div>
);

const pauseMs = 400;
const frameName = 'checkout-preview';
const steps = [
  { value: 'FIRST', label: 'First page' },
  { value: 'BANK', label: 'Banks' },
  { value: 'PAID', label: 'Paid' },
];

/**
 * The hosted page at one of its steps, drawn by the server with what is typed. A form sends it, because a
 * logo is too long for an address; a new frame each time, so that the way back of the browser stays as it is.
 */
const CheckoutPreview = ({ draft }: { readonly draft: CheckoutDraft }): ReactNode => {
  const tenant = useTenant();
  const form = useRef<HTMLFormElement>(null);
  const [step, setStep] = useState('FIRST');
  const [sent] = useDebouncedValue(JSON.stringify(draft), pauseMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft or step is another page.
  useEffect(() => form.current?.submit(), [sent, step]);
  if (!tenant) return null;
  return (
    <SectionCard title="What your customers see">
      <p className="soft">An order for £42.50 with your changes. Nothing can be paid here.</p>
      <SegmentedControl
        className={classes.steps}
        fullWidth
        aria-label="Step of the checkout"
        data={steps}
        value={step}
        onChange={setStep}
      />
      <form
        ref={form}
        method="post"
        action={`/dashboard/checkout-preview/${tenant.merchantId}/${tenant.environment}`}
        target={frameName}
        hidden
      >
        <input type="hidden" name="draft" value={sent} />
        <input type="hidden" name="step" value={step} />
      </form>
      <iframe
        key={`${step} ${sent}`}
        name={frameName}
        title="Preview of the checkout"
        sandbox=""
        className={classes.frame}
      />
    </SectionCard>
  );
};
