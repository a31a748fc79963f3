// The last of them compares the books of what all have paid.
import './ways-to-pay.ts';
import './place-and-money.ts';
