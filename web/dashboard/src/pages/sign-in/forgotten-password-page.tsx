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
        <PageTitle title="Look at your mail" above={back} />
        <Stack>
          <p role="status">
            If somebody has signed up with {request.variables.body?.email}, a link is on its way. It
            works once, within 30 minutes.
          </p>
          <WhereMailIs />
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle
        title="A new password"
        above={back}
        says="We mail you a link with which you choose another password."
      />
      <ActForm
        act={request}
        submit="Send the link"
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
