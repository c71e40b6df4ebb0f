/** Which screens a key may see: what it may not is not drawn. The server refuses it all the same. */
import { can } from '../api/session.ts';
import type { ScreenName } from '../route/screens.ts';

export function isScreenOpen(name: ScreenName): boolean {
  switch (name) {
    case 'submit':
      return can('SUBMIT');
    case 'play':
      return can('WORK') && can('READ');
    case 'settings':
      return true;
    default:
      return can('READ');
  }
}
