/** A change of the jobs of one group: under way while its dialog is open. */
import { useEffect } from 'preact/hooks';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import type { Deed } from '../../bulk/deeds.ts';
import { BulkRun } from '../../bulk/run.ts';

interface GroupRun {
  readonly deed: Deed;
  readonly group: DeadLetterGroupFieldsFragment;
  readonly atMost: number;
  readonly perSecond?: number | undefined;
}

export function beginRun({ deed, group, atMost, perSecond }: GroupRun): BulkRun {
  const target = { filter: { deadLetterGroups: [group.id] } };
  const run = new BulkRun({ deed, target, reason: '', atMost, perSecond }, { value: atMost, exact: true }, () => {});
  void run.go();
  return run;
}

/** Closing the dialog stops the run: what is done stays done. */
export function useRunEnd(run: BulkRun | null): void {
  useEffect(() => () => run?.stop(), [run]);
}
