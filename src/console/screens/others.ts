/** The screens that are not needed at once, in one file of their own. */
import type { FunctionComponent } from 'preact';
import type { ScreenName } from '../route/screens.ts';
import { Screen as jobs } from './jobs/screen.tsx';
import { Screen as live } from './live/screen.tsx';
import { Screen as play } from './play/screen.tsx';
import { Screen as settings } from './settings/screen.tsx';
import { Screen as submit } from './submit/screen.tsx';
import { Screen as workers } from './workers/screen.tsx';

export const OTHERS: Readonly<Partial<Record<ScreenName, FunctionComponent>>> = { jobs, live, play, settings, submit, workers };
