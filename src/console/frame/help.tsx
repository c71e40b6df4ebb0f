/** The keys, from the table that the listeners use. */
import { prefer, preferences } from '../api/preferences.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Tick } from '../parts/field.tsx';
import { KEYS } from './keys.ts';

const PLACES = ['everywhere', 'lists', 'a job', 'a queue', 'the live stream'] as const;

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <div class="help">
        {PLACES.map((place) => (
          <section key={place}>
            <h3>{place === 'everywhere' ? 'Everywhere' : `In ${place}`}</h3>
            <dl class="keys">
              {KEYS.filter(({ where }) => where === place).map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Tick label="Single keys do something in this browser" isTicked={preferences.value.hasKeys} onTick={(hasKeys) => prefer({ hasKeys })} />
    </Dialog>
  );
}
