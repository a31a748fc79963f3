import './test/till-cases.ts';
import './test/link-cases.ts';
import './test/code-cases.ts';
