type Why = { readonly title: string; readonly advice: string };

/** What is known of an attempt, or of the last one of a delivery. */
type Failed = { readonly outcome: string | null; readonly status: number | null };

/** Why it failed and what to do, in plain words (DASHBOARD-45); null: it did not fail. */
export const explainDelivery = ({ outcome, status }: Failed): Why | null => {
  if (outcome === null || outcome === 'DELIVERED') return null;
  if (outcome === 'STATUS' && status !== null) return explainStatus(status);
  return byOutcome[outcome] ?? { title: `The delivery failed: ${outcome}.`, advice: checkLog };
};

const checkLog = 'Look at the log of your server for this time.';

const explainStatus = (status: number): Why => {
  const known = byStatus[status];
  if (known) return known;
  if (status < 300)
    return {
      title: `Your server answered ${status}; only 200 counts as received.`,
      advice: 'Answer 200 as soon as the event is stored, and do the work afterwards.',
    };
  if (status < 400)
    return {
      title: `Your server sent us elsewhere (${status}); redirects are not followed.`,
      advice: 'Create an endpoint with the final address. A missing / or http for https does this.',
    };
  if (status < 500)
    return {
      title: `Your server refused the event with ${status}.`,
      advice: 'The body of its answer below may say why. A check of your own may be too strict.',
    };
  return {
    title: `Your server failed with ${status}.`,
    advice: `${checkLog} Fix it, then deliver again what failed.`,
  };
};

const byStatus: Readonly<Record<number, Why>> = {
  400: {
    title: 'Your server says that the event is not valid (400).',
    advice:
      'Verify the signature over the raw body, before it is parsed. Accept fields you do not know.',
  },
  401: {
    title: 'Your server asks for a sign-in (401).',
    advice:
      'Take the address out of what needs a sign-in and verify the signature instead, or give this ' +
      'endpoint its credentials.',
  },
  403: {
    title: 'Your server, or a firewall before it, forbids the call (403).',
    advice: 'Let POST requests to this address through. Firewalls often refuse unknown programs.',
  },
  404: {
    title: 'There is nothing at this address (404).',
    advice: 'Compare the path with the route of your server. Is the version with it deployed?',
  },
  405: {
    title: 'The address does not take POST (405).',
    advice: 'Events are sent by POST: add that method to the route.',
  },
  410: {
    title: 'Your server says that this address is gone (410).',
    advice: 'Delete this endpoint if it is no longer used, or put the route back.',
  },
  413: {
    title: 'The event is too large for your server (413).',
    advice: 'Let it take bodies of 64 KB.',
  },
  415: {
    title: 'Your server does not take JSON there (415).',
    advice: 'Accept the content type application/json.',
  },
  429: {
    title: 'Your server asks us to slow down (429).',
    advice: 'Set a rate for this endpoint that it can keep up with; we wait as Retry-After says.',
  },
  502: {
    title: 'The proxy before your server did not reach it (502).',
    advice: 'Is the program behind the proxy running and listening where the proxy looks?',
  },
  503: {
    title: 'Your server is not available (503).',
    advice: 'It may be starting or overloaded. We keep trying for 24 hours.',
  },
  504: {
    title: 'The proxy before your server waited too long for it (504).',
    advice: 'Answer 200 as soon as the event is stored, and do the work afterwards.',
  },
};

const byOutcome: Readonly<Record<string, Why>> = {
  TIMEOUT: {
    title: 'Your server did not answer within 10 seconds.',
    advice: 'Answer 200 as soon as the event is stored, and do the work afterwards.',
  },
  DNS: {
    title: 'The name in the address was not found.',
    advice: 'Check the spelling, and that the name is published on the internet.',
  },
  CONNECT: {
    title: 'Nothing takes connections at this address.',
    advice: 'Is the server running, and is its port open to the internet?',
  },
  TLS: {
    title: 'The certificate of your server could not be trusted.',
    advice: 'Is it expired, for another name, or without the certificates between it and its root?',
  },
  RESET: {
    title: 'Your server closed the connection before it answered.',
    advice: `It may have been restarted, or it failed on this event. ${checkLog}`,
  },
  BLOCKED: {
    title:
      'The address leads where we do not send: into a private network, or to a host that is not listed.',
    advice:
      'Use one that is reachable from the internet; the operator may have listed the hosts of webhooks.',
  },
  AUTH: {
    title: 'We could not get an access token from your authorisation server.',
    advice: 'Check clientId, clientSecret and authUrl of this endpoint; give them again.',
  },
  CANCELLED: {
    title: 'It was cancelled: the endpoint was paused or deleted.',
    advice: 'Resume the endpoint, then deliver what was missed.',
  },
};
