/** The console's start: draws it into the page. */
import { render } from 'preact';

const place = document.querySelector('#console');
if (place !== null) render(<h1>LeaseQueue</h1>, place);
