/** The console's start: draws it into the page. */
import { render } from 'preact';
import { keepTime } from './api/time.ts';
import { App } from './app.tsx';

const place = document.querySelector('#console');
if (place !== null) render(<App />, place);
void keepTime();
