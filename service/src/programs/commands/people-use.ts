/** What the commands about people take. */
export const peopleUse = `
  invite-owner <merchantId> <e-mail>
                               the first person of a merchant: prints the link of an invite, once
  mails-to <e-mail>            prints mails that wait for a mail server, with their links
  admit-to-production <merchantId>
                               its people may work in production, not in the sandbox alone
  delete-person <e-mail>       sign-in, passkeys, sessions, memberships, mails; refused for the last
                               owner of a business
  operator-person <e-mail> on|off
                               whether this person operates the installation in the dashboard`;
