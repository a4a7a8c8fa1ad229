import type { Action } from '../../../contract/action.ts'
import { valueAtSteps } from '../../../contract/forms/prefill.ts'
import type { Draft } from '../../../contract/inbox.ts'
import { editedTexts } from '../form/edited-fields.ts'

/**
 * Texts that were edited under another action whose form starts with the same text, by source: people edit one text,
 * whichever action they choose. Undefined if there are none.
 */
export function carriedEdits(
  action: Action,
  actions: readonly Action[],
  drafts: readonly Draft[],
  context: unknown,
): ReadonlyMap<string, string> | undefined {
  const sources = new Set(editedTexts(action, context).map(({ source }) => source))
  const oldestFirst = drafts.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
  const edits = oldestFirst.flatMap(({ actionId, data }) => {
    const other = actions.find(({ id }) => id === actionId)
    return editedTexts(other ?? {}, context).flatMap(({ source, steps, value }) => {
      const text = valueAtSteps(data, steps)
      const isEdited = typeof text === 'string' && text !== value && sources.has(source)
      return isEdited ? [[source, text] as const] : []
    })
  })
  return edits.length > 0 ? new Map(edits) : undefined
}
