/** The whole terminal as a picture that is drawn anew, and the terminal as it was before at the end. */
import type { Look } from '../look.ts';

export interface FullScreen extends Disposable {
  draw(lines: readonly string[]): void;
  rows(): number;
}

interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

interface Reactions {
  /** `q`, or Ctrl-C as a key. */
  readonly onLeave: () => void;
  readonly onResize: () => void;
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const TO_LINE_END = '\x1b[K';
const TO_SCREEN_END = '\x1b[J';
/** `q`, Ctrl-C and Ctrl-D. */
const LEAVING_KEYS = ['q', 'Q', '\x03', '\x04'];
const ROWS = 24;

export function fullScreen({ input, output }: Terminal, { onLeave, onResize }: Reactions): FullScreen {
  const onKeys = (keys: Buffer): void => {
    if (LEAVING_KEYS.some((key) => keys.includes(key))) onLeave();
  };
  const restore = (): void => void output.write(LEAVE);
  // Also where the process is ended at once.
  process.once('exit', restore);
  output.write(ENTER);
  output.on('resize', onResize);
  if (input.isTTY) input.setRawMode(true).on('data', onKeys).resume();
  return {
    rows: () => output.rows || ROWS,
    draw(lines) {
      const shown = lines.slice(0, output.rows || ROWS).map((line) => `${line}${TO_LINE_END}`);
      output.write(`${HOME}${shown.join('\r\n')}${TO_SCREEN_END}`);
    },
    [Symbol.dispose]() {
      output.off('resize', onResize);
      if (input.isTTY) input.setRawMode(false).off('data', onKeys).pause();
      process.off('exit', restore);
      restore();
    },
  };
}

/** A picture is always cut at the width: a line that wraps would push the others away. */
export function screenLook(look: Look, columns: number | undefined): Look {
  return { ...look, columns: columns === undefined || columns < 1 ? 80 : columns };
}
