import type { Action } from '../../../../contract/action.ts'
import { valueAtSteps } from '../../../../contract/forms/prefill.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { editableTexts } from '../../form/edited-fields.ts'

/**
 * The texts of the context that drafts of any action have edited and with which the form of
 * `action` starts, by source: a person who has edited a text finds the edit in the form of whichever
 * action they choose. If several drafts edit one text, the last draft wins. Undefined if no draft
 * edits such a text.
 */
export function editsInDrafts(
  action: Action,
  actions: readonly Action[],
  drafts: readonly Draft[],
  context: unknown,
): ReadonlyMap<string, string> | undefined {
  const sources = new Set(editableTexts(action, context).map(({ source }) => source))
  const edits = drafts.flatMap(({ actionId, data }) => {
    const other = actions.find(({ id }) => id === actionId)
    return editableTexts(other ?? {}, context).flatMap(({ source, steps, value }) => {
      const text = valueAtSteps(data, steps)
      const isEdited = typeof text === 'string' && text !== value && sources.has(source)
      return isEdited ? [[source, text] as const] : []
    })
  })
  return edits.length > 0 ? new Map(edits) : undefined
}
