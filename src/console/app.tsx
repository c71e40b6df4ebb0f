/** The whole console: the door for whoever is not known yet, the frame for everybody else. */
import { useEffect } from 'preact/hooks';
import { session, recheck } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { SignIn, Starting } from './frame/sign-in.tsx';

export function App() {
  useEffect(() => void recheck(), []);
  const state = session.value;
  switch (state.status) {
    case 'in':
      return <Frame ownTenant={state.viewer.tenant.id} />;
    case 'out':
      return <SignIn notice={state.notice} />;
    case 'starting':
    case 'unreached':
      return <Starting />;
    default:
      return state satisfies never;
  }
}
