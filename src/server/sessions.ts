/** What stays open on the strength of an API key: feeds, sockets, claims that wait. Each is ended when the key lapses. */
import { keyPrefix } from '../auth/api-key.ts';
import { LAPSES } from '../auth/authenticate.ts';
import type { KeyRing, KnownKey, Lapse } from '../auth/key-ring.ts';
import type { Principal, PrincipalKey } from '../auth/principal.ts';
import { isExpired } from '../domain/access.ts';

/** Told once, with the words for whoever holds the key. */
export type OnLapse = (message: string) => void;
/** Has `onLapse` called when the principal may no longer do anything, until the function that is answered is called. */
export type Watch = (principal: Principal, onLapse: OnLapse) => () => void;

interface Session {
  readonly key: PrincipalKey;
  readonly onLapse: OnLapse;
}

const NOTHING = (): void => {};

export class Sessions {
  readonly #ring: KeyRing;
  readonly #open = new Set<Session>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  readonly watch: Watch = ({ key }, onLapse) => {
    if (key === null) return NOTHING;
    const session: Session = { key, onLapse };
    this.#open.add(session);
    // Since it was known who asks, the key may have lapsed: whoever looked then did not find this session.
    void Promise.resolve(this.#ring.find(key)).then((known) => this.#judge([session], known), ignoreUnavailable);
    return () => void this.#open.delete(session);
  };

  /** Ends those whose time is over. */
  endExpired(nowMs: number): void {
    for (const session of this.#open) if (isExpired(session.key, nowMs)) this.#end(session, 'expired');
  }

  /** Looks at every key again, after something changed. */
  async endLapsed(): Promise<void> {
    for (const sessions of this.#byKey()) {
      const [first] = sessions;
      if (first !== undefined) this.#judge(sessions, await this.#ring.find(first.key));
    }
  }

  #judge(sessions: readonly Session[], known: KnownKey | null): void {
    const lapse = known === null ? 'revoked' : this.#ring.lapseOf(known);
    if (lapse !== null) for (const session of sessions) this.#end(session, lapse);
  }

  #byKey(): Iterable<readonly Session[]> {
    return Map.groupBy(this.#open, ({ key }) => keyPrefix(key)).values();
  }

  #end(session: Session, lapse: Lapse): void {
    if (this.#open.delete(session)) session.onLapse(LAPSES[lapse]);
  }
}

/** A database that does not serve says so to every request, and is asked again with the next change. */
function ignoreUnavailable(): void {}
