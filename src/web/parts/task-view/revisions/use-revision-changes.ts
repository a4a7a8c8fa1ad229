import { useMemo } from 'react'
import { comparedItems } from '../../../../contract/compare.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { hideEverywhere } from '../comparisons/name-hider.ts'
import { useHideNames, useTaskDisplay } from '../comparisons/task-display.ts'
import { contentOf, type PartChange, revisionChanges } from './revision-changes.ts'

/**
 * What changed between two revisions, without the names that a blind comparison hides. Undefined if
 * their content was deleted.
 */
export function useRevisionChanges(
  task: MemberTaskRecord,
  from: number,
  to: number,
): PartChange[] | undefined {
  const display = useTaskDisplay()
  const isBlind = display?.isBlind === true
  const hide = useHideNames()
  return useMemo(() => {
    const [before, after] = [contentOf(task, from), contentOf(task, to)]
    if (!before || !after || task.contentDeletedAt) return undefined
    if (!isBlind) return revisionChanges(before, after)
    const compared = [...comparedItems(before.context).keys(), ...comparedItems(after.context).keys()]
    return revisionChanges(before, after, new Set(compared)).map(({ label, values, ...part }) => ({
      ...part,
      label: hide(label),
      values: values.map((value) => hideEverywhere(value, hide) as typeof value),
    }))
  }, [task, from, to, isBlind, hide])
}
