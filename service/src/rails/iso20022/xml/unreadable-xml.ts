/** What is wrong with a message of the bank, in words for the operator. */
export class UnreadableXml extends Error {}
