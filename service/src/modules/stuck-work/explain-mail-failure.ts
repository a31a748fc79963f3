type Words = { readonly title: string; readonly advice: string };

/**
 * What an operator reads of a mail server's error. Never the error itself: a server may repeat the address
 * or a link of the mail in it.
 */
export const explainMailFailure = (error: string): Words =>
  known.find(([pattern]) => pattern.test(error))?.[1] ?? {
    title: 'The mail server did not take it.',
    advice: 'The log of the worker has its answer.',
  };

const settings = 'Check SMTP_URL, and the network between the worker and the mail server.';

// The first that matches counts: a code of an answer says more than the words around it.
const known: readonly (readonly [RegExp, Words])[] = [
  [
    /what it says has ended/,
    {
      title: 'It could not be sent in time.',
      advice: 'What it says holds no more: it is not sent.',
    },
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EDNS/,
    { title: 'The name of the mail server is not found.', advice: settings },
  ],
  [
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|closed|hang up/i,
    { title: 'The mail server cannot be reached.', advice: settings },
  ],
  [
    /ETIMEDOUT|time(?:d )?out|greeting never/i,
    { title: 'The mail server did not answer in time.', advice: settings },
  ],
  [
    /STARTTLS/,
    {
      title: 'The mail server offers no TLS.',
      advice: 'Use one that does. MAIL_WITHOUT_TLS sends mail, and the links in it, in plain text.',
    },
  ],
  [
    /certificate|self[- ]signed|TLS|SSL/i,
    {
      title: 'The connection to the mail server is not trusted.',
      advice: 'Its certificate must be of its name and of an authority that the worker knows.',
    },
  ],
  [
    /\b53[0458]\b|invalid login|authentication/i,
    {
      title: 'The mail server refuses our user name or password.',
      advice: 'Check user name and password in SMTP_URL.',
    },
  ],
  [
    /\b[45]52\b|quota|mailbox (?:is )?full/i,
    {
      title: 'The mailbox is full, or the mail too large for it.',
      advice: 'Its owner has to make room.',
    },
  ],
  [
    /\b55[0134]\b|no such (?:user|box|mailbox)|user unknown|recipients? (?:was|were) rejected/i,
    {
      title: 'The mail server refuses the address, or mails of ours.',
      advice:
        'The address may be misspelled: correct it where it was entered. If it refuses all mails, the ' +
        'domain of MAIL_FROM must permit this mail server to send.',
    },
  ],
  [
    /\b4\d\d\b/,
    {
      title: 'The mail server asks us to come back later.',
      advice: 'Nothing to do, unless it stays so.',
    },
  ],
];
