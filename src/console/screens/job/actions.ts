/** What can be done with a job: what the state machine allows in its state, as far as the key may do it. */
import { OPERATOR_ACTIONS, type OperatorAction } from '../../../domain/failures.ts';
import { TRANSITIONS } from '../../../domain/transitions.ts';
import type { JobState } from '../../../client/index.ts';
import { can } from '../../api/session.ts';

/** Whether the table has a way for it, as against a row that always refuses. */
export function isPossible(action: OperatorAction, state: JobState): boolean {
  return TRANSITIONS.some((row) => row.action === action && row.from.toUpperCase() === state && !row.requires.includes('stateAllows'));
}

export function actionsFor(state: JobState): readonly OperatorAction[] {
  return can('OPERATE') ? OPERATOR_ACTIONS.filter((action) => isPossible(action, state)) : [];
}

export const ACTION_TITLES: Readonly<Record<OperatorAction, string>> = { cancel: 'Cancel', redrive: 'Redrive', reschedule: 'Reschedule', purge: 'Purge' };
