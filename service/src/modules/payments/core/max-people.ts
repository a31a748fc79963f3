/** How many people may split a bill. */
export const maxPeople = 20;
