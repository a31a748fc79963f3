import { requestNewPassword } from '@florin/contract/dashboard/index.ts';
import { Anchor, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { signInAddress } from '../../call/session.ts';
import { useAct } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { focusAtFirst } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { WhereMailIs } from '../../shell/prove-address.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';

/** It says the same for every address: who has signed up is not for a visitor to know. */
export const ForgottenPasswordPage = (): ReactNode => {
  const request = useAct(requestNewPassword);
  const back = (
    <Anchor href={signInAddress} underline="always">
      Back to the sign-in
    </Anchor>
  );
  if (request.isSuccess)
    return (
      <PersonShell>
        <PageTitle title="Check your email" above={back} />
        <Stack>
          <p role="status">
            If there is an account for {request.variables.body?.email}, a link is on its way. It
            works once, within 30 minutes.
          </p>
          <WhereMailIs />
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle
        title="Reset your password"
        above={back}
        says="We will email you a link to choose a new one."
      />
      <ActForm
        act={request}
        submit="Send link"
        onSubmit={(typed) => request.mutate({ body: { email: typed('email').trim() } })}
      >
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          ref={focusAtFirst}
        />
      </ActForm>
    </PersonShell>
  );
};
