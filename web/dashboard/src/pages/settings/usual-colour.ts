/** Of the hosted page where the merchant has chosen none. */
export const usualColour = '#2a3a63';
