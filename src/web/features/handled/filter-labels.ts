import { answeredByDeadline, answeredByRule } from '../../../contract/answered-by.ts'
import { displayName } from '../../lib/display-name.ts'
import type { NameOf } from '../../lib/use-members.ts'

export function answererLabel(by: string, nameOf: NameOf, myEmail: string): string {
  if (by === myEmail) return 'Me'
  if (by === answeredByDeadline) return 'Deadline'
  return by === answeredByRule ? 'Standing rules' : displayName(by, nameOf)
}

/**
 * The title of an action. If another action has the same title, the id follows. If the title is not
 * known, only the id.
 */
export function actionLabel(actionId: string, titles: ReadonlyMap<string, string>): string {
  const title = titles.get(actionId)
  if (!title) return actionId
  const isUnique = [...titles.values()].filter((other) => other === title).length === 1
  return isUnique ? title : `${title} (${actionId})`
}
