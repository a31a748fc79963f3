// Its parts use isLongRun: the long run has every way.
// The last of them compares the books of what all have paid.
import './keyboard-and-no-script.ts';
import './interrupted-payments.ts';
