/** The institution of a card attempt: the hosted page names it like a bank. */
export const cardInstitution = 'card';
