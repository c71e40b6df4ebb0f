/** What a person chose for this browser; nobody else sees it. */
import { prefer, preferences, THEMES, type Theme } from '../../api/preferences.ts';
import { Choice, Tick } from '../../parts/field.tsx';
import { Panel } from '../../parts/screen.tsx';

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

export function Browser() {
  const { theme, isCompact, isUtc, hasKeys, isReadOnly } = preferences.value;
  return (
    <Panel title="This browser" aside={<span class="muted small">Kept in this browser, and not sent anywhere.</span>}>
      <div class="settings-form">
        <Choice label="Theme" value={theme} options={THEMES.map((each) => [each, THEME_WORDS[each]])} onChoose={(chosen) => prefer({ theme: chosen })} />
        <Choice
          label="Rows"
          value={isCompact ? 'compact' : 'normal'}
          options={[
            ['normal', 'normal'],
            ['compact', 'compact'],
          ]}
          onChoose={(rows) => prefer({ isCompact: rows === 'compact' })}
        />
        <Tick label="Times in UTC instead of this browser's zone" isTicked={isUtc} onTick={(value) => prefer({ isUtc: value })} />
        <Tick label="Single keys do something (press ? to see which)" isTicked={hasKeys} onTick={(value) => prefer({ hasKeys: value })} />
        <Tick
          label={
            <>
              Read only: draw no button that changes anything.
              <br />
              <span class="muted small">A guard against slips while you look around. What the key may do stays the same.</span>
            </>
          }
          isTicked={isReadOnly}
          onTick={(value) => prefer({ isReadOnly: value })}
        />
      </div>
    </Panel>
  );
}
