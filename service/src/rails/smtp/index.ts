export { openSmtp } from './open-smtp.ts';
