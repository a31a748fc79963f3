/** The institution of an attempt by card: the hosted page names it like a bank. */
export const cardInstitution = 'card';
